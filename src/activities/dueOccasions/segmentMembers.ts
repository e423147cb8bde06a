import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { segmentFilter } from '#programs/catalog/membersInSegment';
import { segmentResource } from '#records/catalog/segment';
import type { DueSlot } from './dueSlot';

/** The filter of the members of a schedule's segment, as they are now; without a segment: every member. */
export async function segmentMembers(db: Connection, org: ObjectId, { slot: { segment: name } }: DueSlot) {
  if (name === undefined) return {};
  const segment = await collectionOf(db, segmentResource).findOne({ org, name });
  return segment ? segmentFilter(segment) : { _id: { $in: [] } };
}
