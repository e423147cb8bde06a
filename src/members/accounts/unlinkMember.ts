import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { type Author, updateStamps } from '#base/db/records';
import { GuardFailed, type InCommit, inTransaction, withRetries } from '#base/db/transaction';
import { accountResource } from '#records/members/account';
import { accountOfMember } from './accountOfMember';
import { writeAccountEvent } from './writeAccountEvent';

/** Most attempts. Each request that changes the account at the same time ends one attempt. */
const attemptsMax = 30;

/**
 * Takes a member out of its account (SPEC "16 Unlink"). An account with one or two members is removed. A larger account
 * loses the entry; when the entry was the active member, the first remaining member becomes active.
 * @throws ServiceError 1510 when the member was merged or erased; 1500 when no account has it
 */
export async function unlinkMember(
  db: Connection,
  author: Author,
  memberId: ObjectId,
  now: Date,
  inCommit?: InCommit<void>,
): Promise<void> {
  const attempt = () =>
    inTransaction(db, async (session) => {
      if (!(await removeMember(db, author, memberId, now, session))) {
        await accountOfMember(db, author.org, memberId);
        throw new GuardFailed('The member has come into an account meanwhile');
      }
      await inCommit?.(undefined, session);
    });
  await withRetries(attempt, { attemptsMax });
}

/**
 * Makes the writes of {@link unlinkMember}. The caller's transaction keeps other writes from coming between them.
 * @returns false when no account has the member
 */
export async function removeMember(
  db: Connection,
  author: Author,
  memberId: ObjectId,
  now: Date,
  session: ClientSession,
): Promise<boolean> {
  const removed = await collectionOf(db, accountResource).findOneAndDelete(
    { org: author.org, 'members.member': memberId, 'members.2': { $exists: false } },
    { session },
  );
  if (!removed) return removeEntry(db, author, memberId, now, session);
  await writeAccountEvent(db, session, author, { ...removed, change: 'removed' }, now);
  return true;
}

async function removeEntry(
  db: Connection,
  author: Author,
  memberId: ObjectId,
  now: Date,
  session: ClientSession,
): Promise<boolean> {
  const rest = { $filter: { input: '$members', cond: { $ne: ['$$this.member', memberId] } } };
  const active = { $cond: [{ $eq: ['$activeMember', memberId] }, { $first: '$members.member' }, '$activeMember'] };
  const updated = await collectionOf(db, accountResource).findOneAndUpdate(
    { org: author.org, 'members.member': memberId, 'members.2': { $exists: true } },
    [
      { $set: { members: rest, version: { $add: ['$version', 1] }, ...updateStamps(author, now) } },
      { $set: { activeMember: active } },
    ],
    { session, returnDocument: 'after' },
  );
  if (!updated) return false;
  await writeAccountEvent(db, session, author, { ...updated, change: 'updated' }, now);
  return true;
}
