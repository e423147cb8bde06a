import { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { activityHistoryResource } from '#records/activities/activityHistory';

/** Hexadecimal ids of the rules that fired for activities of an org, processed at `since` or later. */
export async function rulesHitSince(db: Connection, org: ObjectId, since: Date): Promise<Set<string>> {
  const found = await collectionOf(db, activityHistoryResource)
    .aggregate([
      { $match: { org, oplogTS: { $gte: since.getTime() } } },
      { $project: { ruleMatch: 1 } },
      { $unwind: '$ruleMatch' },
      { $match: { 'ruleMatch.fired': true } },
      { $group: { _id: '$ruleMatch.rule' } },
    ])
    .toArray();
  return new Set(found.flatMap(({ _id }) => (_id instanceof ObjectId ? [_id.toHexString()] : [])));
}
