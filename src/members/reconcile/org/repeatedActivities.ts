import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { eachYielding } from '#base/db/readYielding';
import { activityHistoryResource } from '#records/activities/activityHistory';
import type { OrgCheck } from '../reconciledOrg';

/** Finds activities that were processed twice: one `externalTxnId` is a key, so at most one history has it. */
export const repeatedActivities: OrgCheck = async function* ({ db, org }) {
  let before: string | undefined;
  let reported: string | undefined;
  for await (const id of externalIds(db, org)) {
    if (id === before && id !== reported) {
      reported = id;
      // A cursor may see a history twice that is changed meanwhile.
      const found = await collectionOf(db, activityHistoryResource)
        .find({ org, externalTxnId: id })
        .project<{ _id: ObjectId }>({ _id: 1 })
        .toArray();
      const ids = found.map(({ _id }) => _id).join(' and ');
      if (found.length > 1) yield { message: `Histories ${ids} of org ${org} are of one submission: both are ${id}` };
    }
    before = id;
  }
};

/** The `externalTxnId` of every history that has one, in order, from the index alone. */
async function* externalIds(db: Connection, org: ObjectId): AsyncGenerator<string> {
  const found = collectionOf(db, activityHistoryResource)
    .find({ org, externalTxnId: { $exists: true } })
    .hint({ org: 1, externalTxnId: 1 })
    .sort({ org: 1, externalTxnId: 1 })
    .project<{ externalTxnId: string }>({ _id: 0, externalTxnId: 1 });
  for await (const { externalTxnId } of eachYielding(found)) yield externalTxnId;
}
