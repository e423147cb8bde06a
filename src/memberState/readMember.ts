import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { notFound, ServiceError } from '../common/errors';
import { collectionOf } from '../db/collections';
import { type Member, memberResource } from '../records/members/member';
import { finalSurvivor } from './finalSurvivor';

/**
 * Reads a member of an org.
 * @throws ServiceError 1500 when there is none, 1510 when it was merged (the survivor is named) or erased
 */
export async function readMember(db: Connection, org: ObjectId, id: ObjectId): Promise<Member> {
  const member = await collectionOf(db, memberResource).findOne({ org, _id: id });
  if (!member) throw notFound('Member');
  await requirePresent(db, member);
  return member;
}

/**
 * Refuses a member that was merged or erased; after several merges the one it lives on in is named.
 * @throws ServiceError 1510
 */
export async function requirePresent(
  db: Connection,
  member: Pick<Member, 'org' | '_id' | 'status' | 'mergedInto'>,
): Promise<void> {
  requireNotErased(member);
  if (member.status !== 'Merged') return;
  const survivor = await finalSurvivor(db, member.org, member._id);
  throw new ServiceError('gone', 'Member was merged', { mergedInto: survivor.toHexString() });
}

/**
 * Refuses a member that was erased.
 * @throws ServiceError 1510
 */
export function requireNotErased({ status }: Pick<Member, 'status'>): void {
  if (status === 'Erased') throw new ServiceError('gone', 'Member was erased');
}
