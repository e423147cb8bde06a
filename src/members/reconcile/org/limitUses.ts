import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { inSnapshot, type SnapshotOptions } from '#base/db/inSnapshot';
import { eachYielding } from '#base/db/readYielding';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { limitCounterResource } from '#records/activities/limitCounter';
import { archivedUseResource } from '#records/archives/archivedUse';
import { archiveOpeningResource } from '#records/archives/archiveOpening';
import type { Mismatch } from '../checkInvariants';
import { uncounted } from '../historyFigures';
import type { OrgCheck, ReconciledOrg } from '../reconciledOrg';
import { inChunks } from './inChunks';
import { mergedById } from './mergedById';

/** The number of counters that are confirmed together. */
const confirmedMax = 1000;

/** A sum by the id of a counter. */
interface CounterSum {
  _id: ObjectId;
  sum: number;
}

/**
 * Finds counters of limits, budgets and uses of offers and rewards that differ from what the histories say they used and
 * no cancellation gave back. Both are read in order of their ids, beside commits; what differs is read again in one
 * snapshot.
 */
export const limitUses: OrgCheck = async function* (reconciled) {
  const { db, org } = reconciled;
  const counted = await isCounted(reconciled);
  for await (const ids of inChunks(differing(db, org, counted), confirmedMax)) {
    yield* await inSnapshot(db, (at) => confirmed(db, at, org, { ids, counted }));
  }
};

/** Whether all uses are in histories: retention has deleted none, and each cancellation stored those of its rules. */
async function isCounted({ db, org, deletedBefore }: ReconciledOrg): Promise<boolean> {
  if (deletedBefore) return false;
  const older = { org, originalTxnId: { $exists: true }, $expr: uncounted };
  const one = { projection: { _id: 1 } };
  return (
    (await collectionOf(db, activityHistoryResource).findOne(older, one)) === null &&
    (await collectionOf(db, archiveOpeningResource).findOne({ org, isUncounted: true }, one)) === null
  );
}

async function* differing(db: Connection, org: ObjectId, counted: boolean): AsyncGenerator<ObjectId> {
  const stored = eachYielding(storedSums(db, undefined, { org }));
  const used = eachYielding(usedSums(db, undefined, org, { isSorted: true }));
  for await (const { id, first, second } of mergedById(stored, used)) {
    if (!agree(first?.sum, second?.sum, counted)) yield id;
  }
}

async function confirmed(
  db: Connection,
  at: SnapshotOptions,
  org: ObjectId,
  { ids, counted }: { ids: readonly ObjectId[]; counted: boolean },
): Promise<Mismatch[]> {
  const stored = byId(await storedSums(db, at, { org, _id: { $in: [...ids] } }).toArray());
  const used = byId(await usedSums(db, at, org, { only: ids }).toArray());
  return ids.flatMap((id): Mismatch[] => {
    const [found, right] = [stored.get(id.toHexString()), used.get(id.toHexString())];
    if (agree(found, right, counted)) return [];
    const message = `Counter ${id} of org ${org} is ${found ?? 'missing'}, but by histories ${right ?? 0} are used`;
    return [{ message }];
  });
}

function byId(sums: readonly CounterSum[]): Map<string, number> {
  return new Map(sums.map(({ _id, sum }) => [_id.toHexString(), sum]));
}

/** Amounts are decimals, which MongoDB adds up with an error in the last digits. */
const exactness = 1e-6;

function agree(stored = 0, used = 0, isCounted = true): boolean {
  const less = used - stored;
  const isExact = Math.abs(less) <= exactness * Math.max(1, Math.abs(used));
  return isExact || (!isCounted && less < 0);
}

function storedSums(db: Connection, at: SnapshotOptions | undefined, filter: object) {
  return collectionOf(db, limitCounterResource).find(filter, at).sort({ _id: 1 }).project<CounterSum>({ sum: '$used' });
}

/** The uses that histories and the archive have, less what was given back, by counter: all of them sorted, or some. */
function usedSums(
  db: Connection,
  at: SnapshotOptions | undefined,
  org: ObjectId,
  { isSorted = false, only }: { isSorted?: boolean; only?: readonly ObjectId[] },
) {
  const isWanted = only && { $in: [...only] };
  return collectionOf(db, activityHistoryResource).aggregate<CounterSum>(
    [
      {
        $match: {
          org,
          $or: ['effects', 'ruleCounts'].map((part) =>
            isWanted ? { [`${part}.counters.id`]: isWanted } : { [`${part}.counters.0`]: { $exists: true } },
          ),
        },
      },
      { $project: { _id: 0, uses: { $concatArrays: ['$effects.counters', '$ruleCounts.counters'].map(orNone) } } },
      { $unwind: '$uses' },
      ...(isWanted ? [{ $match: { 'uses.id': isWanted } }] : []),
      {
        $unionWith: {
          coll: archivedUseResource.path,
          pipeline: [
            { $match: { org, ...(isWanted ? { _id: isWanted } : {}) } },
            { $project: { _id: 0, uses: { id: '$_id', amount: '$used', returned: { $literal: 0 } } } },
          ],
        },
      },
      { $group: { _id: '$uses.id', sum: { $sum: { $subtract: ['$uses.amount', '$uses.returned'] } } } },
      ...(isSorted ? [{ $sort: { _id: 1 as const } }] : []),
    ],
    { ...at, allowDiskUse: true },
  );
}

function orNone(path: string) {
  return { $ifNull: [path, []] };
}
