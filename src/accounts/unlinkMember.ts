import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { notFound, ServiceError } from '../common/errors';
import { collectionOf } from '../db/collections';
import { type Author, updateStamps } from '../db/records';
import { accountResource } from '../records/members/account';

const attemptsMax = 8;

/**
 * Takes a member out of its account (SPEC "16 Unlink"). An account of two members, or one, is removed; a larger one
 * loses the entry, and when that member was active the first of the rest becomes so. Either is one atomic write that
 * holds the number of members in its filter, so of two unlinks at once the later sees what the first left.
 * @throws ServiceError 1500 when no account has the member
 */
export async function unlinkMember(db: Connection, author: Author, memberId: ObjectId, now: Date): Promise<void> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    if (await takeOut(db, author, memberId, now)) return;
    // Neither matched: there is no such account, or it crossed the size between the two writes.
    const account = await collectionOf(db, accountResource).findOne({ org: author.org, 'members.member': memberId });
    if (!account) throw notFound('Account');
  }
  throw new ServiceError('unavailable', 'The account keeps changing; retry later', { headers: { 'Retry-After': '1' } });
}

/**
 * The same as one attempt, for a transaction, in which no other can come between its two writes.
 * @returns false when no account has the member
 */
export async function takeOut(
  db: Connection,
  author: Author,
  memberId: ObjectId,
  now: Date,
  session?: ClientSession,
): Promise<boolean> {
  const options = session ? { session } : {};
  const { deletedCount } = await collectionOf(db, accountResource).deleteOne(
    { org: author.org, 'members.member': memberId, 'members.2': { $exists: false } },
    options,
  );
  return deletedCount === 1 || removeEntry(db, author, memberId, now, options);
}

async function removeEntry(
  db: Connection,
  author: Author,
  memberId: ObjectId,
  now: Date,
  options: { session?: ClientSession },
): Promise<boolean> {
  const rest = { $filter: { input: '$members', cond: { $ne: ['$$this.member', memberId] } } };
  const active = { $cond: [{ $eq: ['$activeMember', memberId] }, { $first: '$members.member' }, '$activeMember'] };
  const { matchedCount } = await collectionOf(db, accountResource).updateOne(
    { org: author.org, 'members.member': memberId, 'members.2': { $exists: true } },
    [
      { $set: { members: rest, version: { $add: ['$version', 1] }, ...updateStamps(author, now) } },
      { $set: { activeMember: active } },
    ],
    options,
  );
  return matchedCount === 1;
}
