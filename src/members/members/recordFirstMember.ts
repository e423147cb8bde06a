import type { ClientSession, Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import type { Member } from '#records/members/member';
import { programResource } from '#records/programs/program';

type Joining = Pick<Member, 'org' | 'program'>;

/** Tells whether the record of a program says already that it has members. */
export async function hasMembersRecorded(db: Connection, { org, program: _id }: Joining): Promise<boolean> {
  const filter = { _id, org, hasMembers: true };
  return (await collectionOf(db, programResource).countDocuments(filter, { limit: 1 })) > 0;
}

/**
 * Stores in the record of a program that it has members, in the transaction that creates the first one. From then on
 * the time zone of the program cannot change (`requireTimezoneUnchanged`). No other field changes, so the ETag stays
 * the same.
 */
export async function recordFirstMember(db: Connection, session: ClientSession, { org, program: _id }: Joining) {
  const filter = { _id, org, hasMembers: { $ne: true } };
  await collectionOf(db, programResource).updateOne(filter, { $set: { hasMembers: true } }, { session });
}
