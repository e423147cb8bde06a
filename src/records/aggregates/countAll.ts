import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { inSnapshot, type SnapshotOptions } from '#base/db/inSnapshot';
import { queryLimits } from '#base/query/queryLimits';
import { metricEventsResource, recordsMadeIndex } from './metricEvents';
import { type CountedPath, recordCountId, recordCountResource } from './recordCount';

/** Options for reading a count: the snapshot or transaction, and the maximum time. */
type ReadOptions = Partial<SnapshotOptions> & { maxTimeMS?: number };

/**
 * Returns a function that reads the number of records of an org in one collection for a request; see {@link readCount}.
 */
export function createCountAll(path: CountedPath) {
  const { timeMaxMs: maxTimeMS } = queryLimits;
  return (db: Connection, org: ObjectId) => inSnapshot(db, (at) => readCount(db, { ...at, maxTimeMS }, org, path));
}

/**
 * The exact number of records of an org in a collection at the instant of the snapshot: the rolled-up count plus the
 * records of commits that are not rolled up. It reads one index key for each such commit, whatever the number of
 * records.
 * @returns undefined before the first roll-up of the org, or when there were too many records to count at that time
 */
export async function readCount(
  db: Connection,
  at: ReadOptions,
  org: ObjectId,
  path: CountedPath,
): Promise<number | undefined> {
  const kept = await collectionOf(db, recordCountResource).findOne({ _id: recordCountId(org, path), org }, at);
  if (typeof kept?.count !== 'number') return undefined;
  return kept.count + (await readWaiting(db, at, org, path));
}

/** The number of records made by commits that are not rolled up. */
export async function readWaiting(db: Connection, at: ReadOptions, org: ObjectId, path: CountedPath): Promise<number> {
  const [sum] = await collectionOf(db, metricEventsResource)
    .aggregate<{ waiting: number }>(
      [{ $match: { org } }, { $group: { _id: null, waiting: { $sum: `$made.${path}` } } }],
      { ...at, hint: recordsMadeIndex },
    )
    .toArray();
  return sum?.waiting ?? 0;
}
