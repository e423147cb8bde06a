import { isDeepStrictEqual } from 'node:util';
import { requirePresent } from '#members/memberState/readMember';
import { writeEvents } from '#platform/events/writeEvents';
import type { CompanionWrite } from '#platform/orgs/writeRecord';
import { defineWrites } from '#platform/recordWrites/recordWrites';
import type { WriteContext } from '#platform/recordWrites/writeContext';
import { requirePastBirthDate } from '#records/members/birthDate';
import { memberKeys } from '#records/members/find/memberKeys';
import { type Member, memberResource } from '#records/members/member';
import { updateSegmentDates } from '#records/members/segmentDates';
import { createMember } from './createMember';
import { eraseMember } from './eraseMember';
import { memberCreateBody, memberUpdateBody, type NewMember } from './memberBody';
import { moveReferral, requireOtherHead, requireReferable } from './moveReferral';
import { presentMembers } from './presentMembers';

/** The fields that an update of a member may change. */
const fieldNames = Object.entries(memberUpdateBody.properties)
  .flatMap(([name, schema]) => (schema['x-readOnly'] || schema['x-fixed'] ? [] : [name as keyof Member]))
  .sort();

/**
 * Makes the write of an update's event, for the transaction of the update. The event names the fields that changed,
 * without their values.
 * @returns undefined when no field changed
 */
function writeUpdateEvent(
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

/** Compares values as they are sent too, because an ObjectId may cache values in hidden fields. */
function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other) || JSON.stringify(one) === JSON.stringify(other);
}

/** How members are created, changed and erased. */
export const memberWrites = defineWrites(memberResource, {
  createBody: memberCreateBody,
  updateBody: memberUpdateBody,
  guard: (member, { services }) => requirePresent(services.db, member),
  prepare: prepareMember,
  companionOnUpdate: moveReferral,
  companionOnChange: writeUpdateEvent,
  present: presentMembers,
  create: (body: NewMember, { services, principal, now }, inCommit) =>
    createMember(services, principal, body, now, inCommit),
  remove: ({ _id }, { services, auditor }) => eraseMember(services, auditor, _id),
});

/**
 * Checks an update of a member, and computes the fields that follow from others.
 * @throws ServiceError 1200
 */
async function prepareMember(
  body: Partial<Member>,
  { services, now }: WriteContext,
  previous?: Member,
): Promise<Partial<Member>> {
  requirePastBirthDate(body, now);
  requireOtherHead(previous, body);
  await requireReferable(services.db, previous, body);
  if (!previous) return body;
  // A cleared date falls back to the default at creation.
  const isCleared = 'enrolledAt' in body && body.enrolledAt === undefined;
  const kept = isCleared ? { ...body, enrolledAt: previous.createdAt } : body;
  return { ...kept, ...joinedSegments(kept, previous, now), searchKeys: memberKeys({ ...previous, ...kept }) };
}

/** The dates on which a member joined its segments, when an update changes them. */
function joinedSegments({ segments }: Partial<Member>, previous: Member, now: Date): Pick<Member, 'segmentDates'> {
  const { segments: before, segmentDates = [] } = previous;
  return segments ? { segmentDates: updateSegmentDates(segments, { before, segmentDates }, now) } : {};
}
