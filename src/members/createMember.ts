import { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { Backing } from '../backing/backing';
import { invalidField } from '../common/errors';
import { collectionOf } from '../db/collections';
import { duplicateKeyOf } from '../db/duplicateKeyOf';
import { type Author, newStamps } from '../db/records';
import { type InCommit, inTransaction, withRetries } from '../db/transaction';
import { zeroPurse } from '../points/ledger/purses';
import { policiesOf } from '../programs/policiesOf';
import { memberKeys } from '../records/members/find/memberKeys';
import { type Member, memberResource } from '../records/members/member';
import type { PursePolicy } from '../records/programs/pursePolicy';
import { type FirstTiers, firstTiers } from '../tiers/firstTiers';
import { tierHistoryResource } from '../tiers/tierHistory';
import type { NewMember } from './memberBody';
import { noteReferral } from './noteReferral';
import { randomCode } from './randomCode';
import { isNoted, recordFirstMember } from './recordFirstMember';
import { requirePastBirthDate } from './requirePastBirthDate';
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
  { db }: Pick<Backing, 'db'>,
  author: Author,
  body: NewMember,
  now: Date,
  inCommit?: InCommit<Member>,
): Promise<Member> {
  requirePastBirthDate(body, now);
  await requireReferences(db, author.org, body);
  const policies = await policiesOf(db, author.org, [body.program]);
  const tiers = await firstTiers(db, author.org, body.program, now);
  for (let attempt = 1; ; attempt += 1) {
    const member = { ...newMember(author, body, policies, now), ...tiers.fields };
    try {
      await withRetries(() => insertMember(db, author, { member, changes: tiers.changes, inCommit }), {
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
  inCommit: InCommit<Member> | undefined;
}

async function insertMember(db: Connection, author: Author, { member, changes, inCommit }: Insertion): Promise<void> {
  const isFirst = !(await isNoted(db, member));
  if (!isFirst && changes.length === 0 && !member.referredBy && !inCommit) {
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
    await inCommit?.(member, session);
  });
}

function newMember(author: Author, body: NewMember, policies: readonly PursePolicy[], now: Date): Member {
  const _id = new ObjectId();
  const loyaltyID = body.loyaltyID ?? randomCode(4);
  return {
    ...newStamps(author, now, _id),
    status: 'Active',
    type: 'Individual',
    enrolledAt: now,
    segments: [],
    ...body,
    loyaltyID,
    loyaltyIDs: [loyaltyID],
    referralCode: randomCode(3),
    referrals: [],
    purses: policies.map((policy) => zeroPurse(_id, policy, now)),
    tiers: [],
    aggregates: [],
    mergeIds: [],
    version: 1,
    seq: 0,
    processedAccruals: 0,
    searchKeys: memberKeys({ ...body, loyaltyIDs: [loyaltyID] }),
  };
}
