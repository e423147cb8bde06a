import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import type { SnapshotOptions } from '#base/db/inSnapshot';
import { activityHistoryResource } from '#records/activities/activityHistory';

/** The requested latest visits of a member. */
export interface VisitsRequest {
  /** The member, first, and those merged into it. */
  members: readonly [ObjectId, ...ObjectId[]];
  /** The latest date that counts. */
  until: Date;
  /** How many: one more than the batch may cancel. */
  count: number;
}

/** A visit: a Processed Accrual. */
export interface Visit {
  _id: ObjectId;
  member: ObjectId;
  date: Date;
}

/**
 * Reads the latest visits of all requests in one query. For each member it reads only as many index entries as needed.
 */
export async function readVisits(
  db: Connection,
  at: SnapshotOptions,
  org: ObjectId,
  requests: readonly VisitsRequest[],
): Promise<Visit[]> {
  const [first, ...others] = requests.map((request) => latestVisits(org, request));
  if (!first) return [];
  const histories = collectionOf(db, activityHistoryResource);
  const also = others.map((pipeline) => ({ $unionWith: { coll: histories.collectionName, pipeline } }));
  return histories.aggregate<Visit>([...first, ...also], at).toArray();
}

function latestVisits(org: ObjectId, { members, until, count }: VisitsRequest) {
  return [
    { $match: { org, memberID: { $in: [...members] }, date: { $lte: until }, type: 'Accrual', status: 'Processed' } },
    { $sort: { date: -1 as const } },
    { $limit: count },
    { $project: { date: 1, member: { $literal: members[0] } } },
  ];
}
