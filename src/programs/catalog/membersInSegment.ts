import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { readableFields } from '#base/query/fields';
import type { Filter } from '#base/query/filter';
import { queryLimits } from '#base/query/queryLimits';
import { quote } from '#base/query/quote';
import { parseStoredQuery } from '#base/query/storedQuery';
import type { Segment } from '#records/catalog/segment';
import { memberResource } from '#records/members/member';

/** The most members that {@link membersInSegment} returns. */
export const segmentMembersMax = 10_000;

/** Reads the members of a segment, at most {@link segmentMembersMax}, the oldest first. */
export async function membersInSegment(db: Connection, segment: Segment): Promise<ObjectId[]> {
  const found = await collectionOf(db, memberResource)
    .find({ $and: [{ org: segment.org }, segmentFilter(segment)] }, { projection: { _id: 1 } })
    .sort({ _id: 1 })
    .limit(segmentMembersMax)
    .maxTimeMS(queryLimits.timeMaxMs)
    .toArray();
  return found.map(({ _id }) => _id);
}

/** Makes the MongoDB query that selects, within the org, the members of a segment. */
export function segmentFilter({ _id, name, kind, query }: Segment): Filter {
  if (kind === 'static' || query === undefined) return { segments: _id };
  return parseStoredQuery(query, readableFields(memberResource), `Segment ${quote(name)}: query`);
}
