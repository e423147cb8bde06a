import { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { Backing } from '../backing/backing';
import { invalidField } from '../common/errors';
import { randomCode } from '../common/randomCode';
import { collectionOf } from '../db/collections';
import { duplicateKeyOf } from '../db/duplicateKeyOf';
import { type Author, newStamps } from '../db/records';
import { type InCommit, inTransaction, withRetries } from '../db/transaction';
import { withoutPast } from '../memberState/withoutPast';
import { occasionSubmission } from '../occasions/occasionSubmission';
import { wantedInForce } from '../occasions/wantedOccasions';
import type { OrgVersions } from '../orgs/orgVersions';
import { policiesOf } from '../programs/policiesOf';
import { submissionResource } from '../records/activities/submission';
import { requirePastBirthDate } from '../records/members/birthDate';
import { memberKeys } from '../records/members/find/memberKeys';
import { type Member, memberResource } from '../records/members/member';
import { segmentDatesOf } from '../records/members/segmentDates';
import type { PursePolicy } from '../records/programs/pursePolicy';
import { type FirstTiers, firstTiers } from '../tiers/firstTiers';
import { tierHistoryResource } from '../tiers/tierHistory';
import type { NewMember } from './memberBody';
import { noteReferral } from './noteReferral';
import { isNoted, recordFirstMember } from './recordFirstMember';
import { requireReferences } from './requireReferences';

const attemptsMax = 3;

/**
 * Attempts to store a referred member. Many members may name the same referrer at once, and each attempt stores one of
 * them.
 */
const notingMax = 30;

/**
 * Creates a member of a program of the author's org. The member gets an empty purse for every purse policy of the
 * program, and the tiers that every member has.
 * @throws ServiceError 1200 when the program or referrer is unknown, the loyaltyID is taken, or the birth date is in
 *   the future
 */
export async function createMember(
  { db, ruleSets }: Pick<Backing, 'db' | 'ruleSets'>,
  author: Author & { versions?: OrgVersions },
  body: NewMember,
  now: Date,
  inCommit?: InCommit<Member>,
): Promise<Member> {
  requirePastBirthDate(body, now);
  await requireReferences(db, author.org, body);
  const policies = await policiesOf(db, author.org, body.program);
  const tiers = await firstTiers(db, author.org, body.program, now);
  const isWanted = (await wantedInForce({ db, ruleSets }, author, now))(body.program)?.has('MemberEnrolled') ?? false;
  for (let attempt = 1; ; attempt += 1) {
    const member = { ...newMember(author, body, policies, now), ...tiers.fields };
    try {
      await withRetries(() => insertMember(db, author, { member, changes: tiers.changes, isWanted, inCommit }), {
        attemptsMax: notingMax,
      });
      return member;
    } catch (error) {
      const key = duplicateKeyOf(error);
      // Two requests with the same loyaltyID may run at once: the second one fails on the unique index.
      if (!key) throw error;
      if (key.has('loyaltyIDs') && body.loyaltyID !== undefined) {
        throw invalidField('loyaltyID', 'unique', 'is already used by a member');
      }
      // A generated code exists already. This is improbable, and the next attempt generates another one.
      if (attempt >= attemptsMax) throw error;
    }
  }
}

interface Insertion {
  member: Member;
  changes: FirstTiers['changes'];
  /** A rule is for enrolments. */
  isWanted: boolean;
  inCommit: InCommit<Member> | undefined;
}

async function insertMember(
  db: Connection,
  author: Author,
  { member, changes, isWanted, inCommit }: Insertion,
): Promise<void> {
  const isFirst = !(await isNoted(db, member));
  if (!isFirst && changes.length === 0 && !member.referredBy && !isWanted && !inCommit) {
    await collectionOf(db, memberResource).insertOne(member);
    return;
  }
  const at = member.createdAt;
  const rows = changes.map((change) => ({ ...newStamps(author, at), member: member._id, at, ...change }));
  await inTransaction(db, async (session) => {
    if (isFirst) await recordFirstMember(db, session, member);
    await collectionOf(db, memberResource).insertOne(member, { session });
    if (rows.length > 0) await collectionOf(db, tierHistoryResource).insertMany(rows, { session });
    if (member.referredBy) await noteReferral(db, session, author, { ...member, referredBy: member.referredBy }, at);
    if (isWanted) await collectionOf(db, submissionResource).insertOne(enrolment(author, member), { session });
    await inCommit?.(member, session);
  });
}

function enrolment(author: Author, { _id, createdAt: at }: Member) {
  const name = { type: 'MemberEnrolled' as const, at, of: [_id] };
  return occasionSubmission(author, at, { ...name, member: _id, date: at, occasion: {} });
}

function newMember(author: Author, body: NewMember, policies: readonly PursePolicy[], now: Date): Member {
  const _id = new ObjectId();
  const loyaltyID = body.loyaltyID ?? randomCode(4);
  const { segments = [] } = body;
  const joined = segmentDatesOf(segments, { before: [], segmentDates: [] }, now);
  return {
    ...newStamps(author, now, _id),
    status: 'Active',
    type: 'Individual',
    enrolledAt: now,
    segments: [],
    ...(joined.length > 0 ? { segmentDates: joined } : {}),
    ...body,
    loyaltyID,
    loyaltyIDs: [loyaltyID],
    referralCode: randomCode(3),
    ...withoutPast(_id, policies, now),
    searchKeys: memberKeys({ ...body, loyaltyIDs: [loyaltyID] }),
  };
}
