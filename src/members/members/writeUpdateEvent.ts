import { isDeepStrictEqual } from 'node:util';
import { writeEvents } from '#platform/events/writeEvents';
import type { CompanionWrite } from '#platform/orgs/writeRecord';
import type { WriteContext } from '#platform/recordWrites/writeContext';
import type { Member } from '#records/members/member';
import { memberUpdateBody } from './memberBody';

/** The fields that an update of a member may change. */
const fieldNames = Object.entries(memberUpdateBody.properties)
  .flatMap(([name, schema]) => (schema['x-readOnly'] || schema['x-fixed'] ? [] : [name as keyof Member]))
  .sort();

/**
 * The write of the event of an update, in its transaction. It names the fields that changed, without their values.
 * @returns undefined when no field changed
 */
export function writeUpdateEvent(
  { before, after }: { before?: Member; after?: Member },
  { services: { db }, principal, now }: WriteContext,
): CompanionWrite | undefined {
  if (!before || !after) return undefined;
  const fields = fieldNames.filter((name) => !isSame(before[name], after[name]));
  if (fields.length === 0) return undefined;
  const { _id: member, program, status } = after;
  return (session) =>
    writeEvents(db, session, principal, now, [{ type: 'member.updated', program, member, data: { fields, status } }]);
}

/** Ids cache values of their own in fields, so they are compared as they are sent. */
function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other) || JSON.stringify(one) === JSON.stringify(other);
}
