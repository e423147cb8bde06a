import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '../db/collections';
import type { Member } from '../records/members/member';
import { journalResource } from '../records/points/journal';
import type { DocOf } from '../schema/resource';

/** Which part of a statement is wanted. */
export interface StatementPage {
  /** Only this purse policy; default all, one after the other. */
  purse?: ObjectId;
  skip: number;
  limit: number;
}

/**
 * The journal of a member with the balance after each entry, by purse and time (`seq` tells the time), and with it the
 * journals of the members merged into it, which keep their entries and balances.
 */
export async function readStatement(
  db: Connection,
  org: ObjectId,
  { _id, mergeIds }: Pick<Member, '_id' | 'mergeIds'>,
  { purse, skip, limit }: StatementPage,
): Promise<DocOf<typeof journalResource>[]> {
  return (
    collectionOf(db, journalResource)
      .find({ org, member: { $in: [_id, ...mergeIds] }, ...(purse ? { purse } : {}) })
      // Numbers of different members say nothing of each other.
      .sort(mergeIds.length === 0 ? { purse: 1, seq: 1 } : { purse: 1, at: 1, member: 1, seq: 1 })
      .skip(skip)
      .limit(limit)
      .toArray()
  );
}
