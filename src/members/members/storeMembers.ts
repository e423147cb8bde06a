import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { insertAll } from '#base/db/collections';
import { type Author, distinctIds, newStamps } from '#base/db/records';
import { occasionSubmission } from '#members/occasions/occasionSubmission';
import type { FirstTiers } from '#members/tiers/firstTiers';
import { tierHistoryResource } from '#members/tiers/tierHistory';
import { ledgerEvents } from '#platform/events/ledgerEvents';
import { writeEvents } from '#platform/events/writeEvents';
import { submissionResource } from '#records/activities/submission';
import type { StoredEvent } from '#records/events/event';
import { type Member, memberResource } from '#records/members/member';
import { noteReferral } from './noteReferral';
import { recordFirstMember } from './recordFirstMember';

/** A new member, and what is stored with it. */
export interface MemberToStore {
  member: Member;
  /** The levels that every member has. */
  changes: FirstTiers['changes'];
  /** True when a rule wants the occasion of an enrolment. */
  isWanted: boolean;
}

/**
 * Stores new members inside a transaction, with their first tiers, referrals, enrolments and events.
 * @param first programs whose first members these are; it is stored in the program
 * @throws MongoServerError 11000 when an id or a code is taken; GuardFailed when a referrer changed in the meantime
 */
export async function storeMembers(
  db: Connection,
  session: ClientSession,
  author: Author,
  newMembers: readonly MemberToStore[],
  first: readonly ObjectId[],
): Promise<void> {
  const { org } = author;
  for (const program of distinctIds(first)) await recordFirstMember(db, session, { org, program });
  await insertAll(
    db,
    session,
    memberResource.path,
    newMembers.map(({ member }) => member),
  );
  const rows = newMembers.flatMap(({ member: { _id: member, createdAt: at }, changes }) =>
    changes.map((change) => ({ ...newStamps(author, at), member, at, ...change })),
  );
  await insertAll(db, session, tierHistoryResource.path, rows);
  for (const { member } of newMembers) {
    const { referredBy } = member;
    if (referredBy) await noteReferral(db, session, author, { ...member, referredBy }, member.createdAt);
  }
  const wanted = newMembers.filter(({ isWanted }) => isWanted);
  await insertAll(
    db,
    session,
    submissionResource.path,
    wanted.map(({ member }) => enrolment(author, member)),
  );
  const [anyMember] = newMembers;
  if (anyMember) await writeEvents(db, session, author, anyMember.member.createdAt, newMembers.flatMap(createdEvents));
}

function createdEvents({ member, changes: tierChanges }: MemberToStore): StoredEvent[] {
  const { _id: memberId, program, status, enrolledAt, referredBy, createdAt } = member;
  const data = { status, enrolledAt, ...(referredBy && { referredBy }) };
  const tiers = ledgerEvents({ program, memberId, set: { purses: [] }, entries: [], tierChanges }, createdAt);
  return [{ type: 'member.created', program, member: memberId, data }, ...tiers];
}

function enrolment(author: Author, { _id, createdAt: at }: Member) {
  const name = { type: 'MemberEnrolled' as const, at, idParts: [_id] };
  return occasionSubmission(author, at, { ...name, member: _id, date: at, occasion: {} });
}
