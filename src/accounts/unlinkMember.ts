import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { notFound, ServiceError } from '../common/errors';
import { collectionOf } from '../db/collections';
import { type Author, updateStamps } from '../db/records';
import { accountResource } from '../records/members/account';

const attemptsMax = 8;

/**
 * Takes a member out of its account (SPEC "16 Unlink"). An account with one or two members is removed. A larger account
 * loses the entry; when the entry was the active member, the first remaining member becomes active. Each of the two is
 * one atomic write, and its filter checks the number of members. So when two unlinks run at once, the later one sees
 * the result of the first.
 * @throws ServiceError 1500 when no account has the member
 */
export async function unlinkMember(db: Connection, author: Author, memberId: ObjectId, now: Date): Promise<void> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    if (await removeMember(db, author, memberId, now)) return;
    // No write matched: the account does not exist, or its number of members changed between the two writes.
    const account = await collectionOf(db, accountResource).findOne({ org: author.org, 'members.member': memberId });
    if (!account) throw notFound('Account');
  }
  throw new ServiceError('unavailable', 'The account keeps changing; retry later', { headers: { 'Retry-After': '1' } });
}

/**
 * Makes one attempt of {@link unlinkMember}. In a transaction no other write can come between its two writes.
 * @returns false when no account has the member
 */
export async function removeMember(
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
