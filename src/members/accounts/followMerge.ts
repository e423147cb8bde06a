import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { type Author, updateStamps } from '#base/db/records';
import { type Account, accountResource } from '#records/members/account';
import { removeMember } from './unlinkMember';
import { writeAccountEvent } from './writeAccountEvent';

/** One merged member and the survivor of the merge. */
export interface Merge {
  survivor: ObjectId;
  merged: ObjectId;
}

/**
 * Updates accounts in the transaction of a merge. The survivor replaces the merged member in its account. When both are
 * in the same account, the account stays with the survivor, even as its only member. When the survivor is already in
 * another account, the merged member is taken out of its own, as by unlink, because a member is in one account at most.
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
  const accountOf = (member: ObjectId) => accounts.findOne({ org, 'members.member': member }, { session });
  const account = await accountOf(merged);
  if (!account) return;
  const own = await accountOf(survivor);
  if (own && !own._id.equals(account._id)) {
    await removeMember(db, author, merged, now, session);
    return;
  }
  const after = membersAfterMerge(account, { survivor, merged });
  const changes = { ...after, ...updateStamps(author, now) };
  await accounts.updateOne({ _id: account._id, org }, { $set: changes, $inc: { version: 1 } }, { session });
  await writeAccountEvent(db, session, author, { _id: account._id, members: after.members, change: 'updated' }, now);
}

/** The members of an account after the merge: the survivor takes the place of the merged member, or keeps its own. */
function membersAfterMerge(
  { members, activeMember }: Account,
  { survivor, merged }: Merge,
): Pick<Account, 'members' | 'activeMember'> {
  const hasSurvivor = members.some(({ member }) => member.equals(survivor));
  const left = hasSurvivor ? members.filter(({ member }) => !member.equals(merged)) : members;
  const replaceMerged = (id: ObjectId) => (id.equals(merged) ? survivor : id);
  return {
    members: left.map((entry) => ({ ...entry, member: replaceMerged(entry.member) })),
    ...(activeMember ? { activeMember: replaceMerged(activeMember) } : {}),
  };
}
