import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { eachYielding } from '#base/db/readYielding';
import { activityHistoryResource } from '#records/activities/activityHistory';
import type { OrgCheck } from '../reconciledOrg';

/** Finds activities that were processed twice: one `externalTxnId` is a key, so at most one history has it. */
export const repeatedActivities: OrgCheck = async function* ({ db, org }) {
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

/** The `externalTxnId` of several histories, as MongoDB counts them from the index alone. */
async function* repeatedIds(db: Connection, org: ObjectId): AsyncGenerator<string> {
  const found = collectionOf(db, activityHistoryResource).aggregate<{ _id: string }>(
    [
      { $match: { org, externalTxnId: { $exists: true } } },
      { $group: { _id: '$externalTxnId', times: { $sum: 1 } } },
      { $match: { times: { $gt: 1 } } },
    ],
    { hint: { org: 1, externalTxnId: 1 }, allowDiskUse: true },
  );
  for await (const { _id } of eachYielding(found)) yield _id;
}
