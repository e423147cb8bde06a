import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '../../db/collections';
import { inSnapshot, type SnapshotOptions } from '../../db/inSnapshot';
import { queryLimits } from '../../query/queryLimits';
import { metricEventsResource, recordsMadeIndex } from './metricEvents';
import { type CountedPath, recordCountId, recordCountResource } from './recordCount';

/** How a count is read: within a snapshot or a transaction, and how long it may take. */
type ReadOptions = Partial<SnapshotOptions> & { maxTimeMS?: number };

/** Makes the reader of how many records an org has in one collection, for requests; see {@link readCount}. */
export function countAllOf(path: CountedPath) {
  const { timeMaxMs: maxTimeMS } = queryLimits;
  return (db: Connection, org: ObjectId) => inSnapshot(db, (at) => readCount(db, { ...at, maxTimeMS }, org, path));
}

/**
 * The exact number of records of an org in a collection, as at the moment of the snapshot: what is rolled up plus what
 * waits for it. Costs a key of an index for each commit that waits, however many records there are.
 * @returns undefined before the first roll-up of the org, and when too many were there before
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

/** How many records the commits that are not rolled up made. */
export async function readWaiting(db: Connection, at: ReadOptions, org: ObjectId, path: CountedPath): Promise<number> {
  const [sum] = await collectionOf(db, metricEventsResource)
    .aggregate<{ waiting: number }>(
      [{ $match: { org } }, { $group: { _id: null, waiting: { $sum: `$made.${path}` } } }],
      { ...at, hint: recordsMadeIndex },
    )
    .toArray();
  return sum?.waiting ?? 0;
}
