import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { queryLimits } from '#base/query/queryLimits';
import type { Segment } from '#records/catalog/segment';
import { memberResource } from '#records/members/member';
import { segmentFilter } from './membersInSegment';

/** The members, and the segments to look for. */
export interface SegmentQuestion {
  org: ObjectId;
  members: readonly ObjectId[];
  segments: readonly Segment[];
}

/**
 * Finds the names of the segments that members are in, by hexadecimal member id. Every given member has an entry. All
 * queries run in parallel and select by member id: one for all static segments, and one for each segment by query.
 */
export async function matchedSegments(
  db: Connection,
  { org, members, segments }: SegmentQuestion,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const names = new Map(members.map((id) => [id.toHexString(), new Set<string>()]));
  if (members.length === 0) return names;
  const filter = { org, _id: { $in: [...members] } };
  const statics = segments.filter(({ kind }) => kind === 'static');
  const found = await Promise.all([
    staticMembers(db, filter, statics),
    ...segments.filter(({ kind }) => kind === 'query').map((segment) => queriedMembers(db, filter, segment)),
  ]);
  for (const { id, name } of found.flat()) names.get(id.toHexString())?.add(name);
  return names;
}

interface Membership {
  id: ObjectId;
  name: string;
}

type MemberFilter = Record<string, unknown>;

async function staticMembers(
  db: Connection,
  filter: MemberFilter,
  segments: readonly Segment[],
): Promise<Membership[]> {
  if (segments.length === 0) return [];
  const nameById = new Map(segments.map(({ _id, name }) => [_id.toHexString(), name]));
  const found = await collectionOf(db, memberResource)
    .find(filter, { projection: { segments: 1 } })
    .toArray();
  return found.flatMap(({ _id, segments: ids = [] }) =>
    ids.flatMap((id) => {
      const name = nameById.get(id.toHexString());
      return name === undefined ? [] : [{ id: _id, name }];
    }),
  );
}

async function queriedMembers(db: Connection, filter: MemberFilter, segment: Segment): Promise<Membership[]> {
  const found = await collectionOf(db, memberResource)
    .find({ $and: [filter, segmentFilter(segment)] }, { projection: { _id: 1 }, maxTimeMS: queryLimits.timeMaxMs })
    .toArray();
  return found.map(({ _id }) => ({ id: _id, name: segment.name }));
}
