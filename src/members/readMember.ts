import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '../db/resource';
import { notFound, ServiceError } from '../errors';
import { type Member, memberResource } from './member';

/**
 * Reads a member of an org.
 * @throws ServiceError 1500 when there is none, 1510 when it was merged (the survivor is named) or erased
 */
export async function readMember(db: Connection, org: ObjectId, id: ObjectId): Promise<Member> {
  const member = await collectionOf(db, memberResource).findOne({ org, _id: id });
  if (!member) throw notFound('Member');
  requirePresent(member);
  return member;
}

/**
 * Refuses a member that was merged or erased.
 * @throws ServiceError 1510
 */
export function requirePresent(member: Pick<Member, 'status' | 'mergedInto'>): void {
  if (member.status === 'Erased') throw new ServiceError('gone', 'Member was erased');
  if (member.status !== 'Merged') return;
  const { mergedInto } = member;
  throw new ServiceError('gone', 'Member was merged', mergedInto ? { mergedInto: mergedInto.toHexString() } : {});
}
