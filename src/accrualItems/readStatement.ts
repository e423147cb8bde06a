import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '../db/collections';
import type { Member } from '../records/members/member';
import { journalResource } from '../records/points/journal';
import type { DocOf } from '../schema/resource';

/** The page of a statement to read. */
export interface StatementPage {
  /** Only this purse policy; by default all purse policies, one after the other. */
  purse?: ObjectId;
  skip: number;
  limit: number;
}

/**
 * Reads the journal of a member with the balance after each entry, sorted by purse and time; `seq` is the order in
 * time. The journals of members merged into it are included, with their own entries and balances.
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
      // The `seq` of one member has no order with the `seq` of another, so `at` comes first.
      .sort(mergeIds.length === 0 ? { purse: 1, seq: 1 } : { purse: 1, at: 1, member: 1, seq: 1 })
      .skip(skip)
      .limit(limit)
      .toArray()
  );
}
