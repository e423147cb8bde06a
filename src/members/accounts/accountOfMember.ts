import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { notFound } from '#base/common/errors';
import { collectionOf } from '#base/db/collections';
import { requirePresent } from '#members/memberState/readMember';
import { type Account, accountResource } from '#records/members/account';
import { memberResource } from '#records/members/member';

/** The hint names the index, because in an org with few accounts MongoDB may read them all instead. */
const byMember = { hint: { org: 1, 'members.member': 1 } };

/**
 * Reads the account that a member is in.
 * @throws ServiceError 1510 when there is none because the member was merged or erased; 1500 otherwise
 */
export async function accountOfMember(db: Connection, org: ObjectId, member: ObjectId): Promise<Account> {
  const account = await collectionOf(db, accountResource).findOne({ org, 'members.member': member }, byMember);
  if (account) return account;
  const named = await collectionOf(db, memberResource).findOne({ org, _id: member });
  if (named) await requirePresent(db, named);
  throw notFound('Account');
}
