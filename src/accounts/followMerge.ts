import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { collectionOf } from '../db/collections';
import { type Author, updateStamps } from '../db/records';
import { accountResource } from '../records/members/account';
import { removeMember } from './unlinkMember';

/** One merged member and the survivor of the merge. */
export interface Merge {
  survivor: ObjectId;
  merged: ObjectId;
}

/**
 * Updates accounts in the transaction of a merge. The survivor replaces the merged member in its account. A member is
 * in one account at most. So when the survivor is in an account already, the merged member is taken out of its own, as
 * by unlink.
 */
export async function followMerge(
  db: Connection,
  session: ClientSession,
  author: Author,
  { survivor, merged }: Merge,
  now: Date,
): Promise<void> {
  const accounts = collectionOf(db, accountResource);
  const { org } = author;
  const hasAccount = await accounts.countDocuments({ org, 'members.member': survivor }, { session, limit: 1 });
  if (hasAccount > 0) {
    await removeMember(db, author, merged, now, session);
    return;
  }
  const account = await accounts.findOne({ org, 'members.member': merged }, { session });
  if (!account) return;
  const inPlace = (id: ObjectId) => (id.equals(merged) ? survivor : id);
  await accounts.updateOne(
    { _id: account._id, org },
    {
      $set: {
        members: account.members.map(({ member, program }) => ({ member: inPlace(member), program })),
        ...(account.activeMember ? { activeMember: inPlace(account.activeMember) } : {}),
        ...updateStamps(author, now),
      },
      $inc: { version: 1 },
    },
    { session },
  );
}
