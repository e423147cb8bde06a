import { requirePresent } from '#members/memberState/readMember';
import { defineWrites } from '#platform/recordWrites/recordWrites';
import type { WriteContext } from '#platform/recordWrites/writeContext';
import { requirePastBirthDate } from '#records/members/birthDate';
import { memberKeys } from '#records/members/find/memberKeys';
import { type Member, memberResource } from '#records/members/member';
import { segmentDatesOf } from '#records/members/segmentDates';
import { createMember } from './createMember';
import { eraseMember } from './eraseMember';
import { memberCreateBody, memberUpdateBody, type NewMember } from './memberBody';
import { moveReferral, requireOtherHead, requireReferable } from './moveReferral';
import { presentMembers } from './presentMembers';
import { writeUpdateEvent } from './writeUpdateEvent';

/** How members are created, changed and erased. */
export const memberWrites = defineWrites(memberResource, {
  createBody: memberCreateBody,
  updateBody: memberUpdateBody,
  guard: (member, { services }) => requirePresent(services.db, member),
  prepare: prepareMember,
  along: moveReferral,
  alongChange: writeUpdateEvent,
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
  // The default at creation.
  const isCleared = 'enrolledAt' in body && body.enrolledAt === undefined;
  const kept = isCleared ? { ...body, enrolledAt: previous.createdAt } : body;
  return { ...kept, ...joinedSegments(kept, previous, now), searchKeys: memberKeys({ ...previous, ...kept }) };
}

/** The dates on which a member joined its segments, when an update changes them. */
function joinedSegments({ segments }: Partial<Member>, previous: Member, now: Date): Pick<Member, 'segmentDates'> {
  const { segments: before, segmentDates = [] } = previous;
  return segments ? { segmentDates: segmentDatesOf(segments, { before, segmentDates }, now) } : {};
}
