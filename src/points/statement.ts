import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf, type DocOf } from '../db/resource';
import { journalResource } from './journal';

/** Which part of a statement is wanted. */
export interface StatementPage {
  /** Only this purse policy; default all, one after the other. */
  purse?: ObjectId;
  skip: number;
  limit: number;
}

/** The journal of a member with the balance after each entry, by purse and time (`seq` tells the time). */
export async function readStatement(
  db: Connection,
  org: ObjectId,
  member: ObjectId,
  { purse, skip, limit }: StatementPage,
): Promise<DocOf<typeof journalResource>[]> {
  return collectionOf(db, journalResource)
    .find({ org, member, ...(purse ? { purse } : {}) })
    .sort({ purse: 1, seq: 1 })
    .skip(skip)
    .limit(limit)
    .toArray();
}
