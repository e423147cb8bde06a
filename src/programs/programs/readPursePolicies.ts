import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { type PursePolicy, pursePolicyResource } from '#records/programs/pursePolicy';

/** Reads all purse policies of a program, the oldest first. */
export async function readPursePolicies(db: Connection, org: ObjectId, program: ObjectId): Promise<PursePolicy[]> {
  return collectionOf(db, pursePolicyResource).find({ org, program }).sort({ _id: 1 }).toArray();
}
