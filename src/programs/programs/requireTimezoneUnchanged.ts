import type { ClientSession, Connection } from 'mongoose';
import { isSameTimezone } from '#base/calendar/timezones';
import { invalidField } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import type { CompanionWrite } from '#platform/orgs/writeRecord';
import type { OrgContext } from '#platform/recordWrites/writeContext';
import { memberResource } from '#records/members/member';
import { type Program, programResource } from '#records/programs/program';

/**
 * Refuses to change the time zone of a program that has members, because their sums and limits follow the days of the
 * old zone. The creation of a first member writes the program too (`recordFirstMember`). So when both happen at once, one
 * comes first and the other sees it.
 * @returns undefined when the zone does not change; otherwise a check that runs in the update's transaction and throws
 *   ServiceError 1200, kind `inUse`
 */
export function requireTimezoneUnchanged(
  previous: Program,
  fields: Partial<Program>,
  { services }: OrgContext,
): CompanionWrite | undefined {
  const { timezone } = fields;
  if (timezone === undefined || isSameTimezone(timezone, previous.timezone)) return undefined;
  return async (session) => {
    if (!(await hasMembers(services.db, session, previous))) return;
    throw invalidField('timezone', 'inUse', message('programs.timezoneKept'));
  };
}

/** Programs from earlier versions of the service have members without `hasMembers`. */
async function hasMembers(db: Connection, session: ClientSession, { _id, org }: Program): Promise<boolean> {
  const options = { session, projection: { _id: 1 } } as const;
  if (await collectionOf(db, programResource).findOne({ _id, org, hasMembers: true }, options)) return true;
  return (await collectionOf(db, memberResource).findOne({ org, program: _id }, options)) !== null;
}
