import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { inSnapshot, type SnapshotOptions } from '#base/db/inSnapshot';
import { eachYielding } from '#base/db/readYielding';
import { activityHistoryResource } from '#records/activities/activityHistory';
import type { OrgCheck } from '../reconciledOrg';

/** Finds activities that were processed twice: one `externalTxnId` is a key, so at most one history has it. */
export const repeatedActivities: OrgCheck = async function* ({ db, org }) {
  if (await inSnapshot(db, (at) => areDistinct(db, at, org))) return;
  for await (const externalTxnId of repeatedIds(db, org)) {
    // An index that is read while histories change may show one twice.
    const found = await collectionOf(db, activityHistoryResource)
      .find({ org, externalTxnId })
      .project<{ _id: ObjectId }>({ _id: 1 })
      .toArray();
    const ids = found.map(({ _id }) => _id).join(' and ');
    if (found.length > 1)
      yield { message: `Histories ${ids} of org ${org} are of one submission: both are ${externalTxnId}` };
  }
};

/** The index from which MongoDB counts alone. */
const hint = { org: 1, externalTxnId: 1 } as const;

/** Any text. */
const isText = { $gte: '' };

/** Whether there are as many ids as histories with one. MongoDB skips from id to id in the index, and groups nothing. */
async function areDistinct(db: Connection, at: SnapshotOptions, org: ObjectId): Promise<boolean> {
  const histories = collectionOf(db, activityHistoryResource);
  const counts: number[] = [];
  for (const distinct of [[], [{ $sort: hint }, { $group: { _id: '$externalTxnId' } }]]) {
    const [found] = await histories
      .aggregate<{ ids: number }>([{ $match: { org, externalTxnId: isText } }, ...distinct, { $count: 'ids' }], {
        ...at,
        hint,
      })
      .toArray();
    counts.push(found?.ids ?? 0);
  }
  return counts[0] === counts[1];
}

/** The `externalTxnId` of several histories. */
async function* repeatedIds(db: Connection, org: ObjectId): AsyncGenerator<string> {
  const found = collectionOf(db, activityHistoryResource).aggregate<{ _id: string }>(
    [
      { $match: { org, externalTxnId: isText } },
      { $group: { _id: '$externalTxnId', times: { $sum: 1 } } },
      { $match: { times: { $gt: 1 } } },
    ],
    { hint, allowDiskUse: true },
  );
  for await (const { _id } of eachYielding(found)) yield _id;
}
