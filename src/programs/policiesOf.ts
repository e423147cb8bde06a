import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '../db/collections';
import { type PursePolicy, pursePolicyResource } from '../records/programs/pursePolicy';

/** Reads all purse policies of these programs, the oldest first. */
export async function policiesOf(db: Connection, org: ObjectId, programs: readonly ObjectId[]): Promise<PursePolicy[]> {
  return collectionOf(db, pursePolicyResource)
    .find({ org, program: { $in: [...programs] } })
    .sort({ _id: 1 })
    .toArray();
}
