import type { ClientSession, Connection } from 'mongoose';
import { collectionOf } from '../db/collections';
import type { Member } from '../records/members/member';
import { programResource } from '../records/programs/program';

type Joining = Pick<Member, 'org' | 'program'>;

/** Tells whether a program says already that it has members. */
export async function isNoted(db: Connection, { org, program: _id }: Joining): Promise<boolean> {
  const filter = { _id, org, hasMembers: true };
  return (await collectionOf(db, programResource).countDocuments(filter, { limit: 1 })) > 0;
}

/**
 * Notes at a program, in the transaction that makes its first member, that it has members: from then on its time zone
 * stays (`keepTimezone`). The record is otherwise as it was, its ETag too.
 */
export async function noteFirstMember(db: Connection, session: ClientSession, { org, program: _id }: Joining) {
  const filter = { _id, org, hasMembers: { $ne: true } };
  await collectionOf(db, programResource).updateOne(filter, { $set: { hasMembers: true } }, { session });
}
