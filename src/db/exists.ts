import type { TProperties } from '@sinclair/typebox';
import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { Resource } from '../schema/resource';

/** Tells whether the org has a record of a resource with this id. */
export async function exists<P extends TProperties>(
  db: Connection,
  resource: Resource<P>,
  org: ObjectId,
  id: ObjectId,
): Promise<boolean> {
  return (await db.collection(resource.path).countDocuments({ org, _id: id }, { limit: 1 })) > 0;
}
