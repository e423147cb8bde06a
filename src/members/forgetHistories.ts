import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '../db/collections';
import { activityHistoryResource } from '../records/activities/activityHistory';

/** Histories changed by one update. */
const pageSize = 200;

/** What of a history may tell who the member was: ids as sent, free fields, card numbers, and facts that rules read. */
const personal = ['loyaltyID', 'referralCode', 'ext', 'tenderItems.itemNo', 'lineItems.ext', 'factsRead'];

/**
 * Takes what is personal out of the histories of erased members: the ids as sent, extension fields and the numbers of
 * means of payment, and the fact values that rules read. What was bought, and what it did to the ledger, stays.
 * @returns how many histories were changed
 */
export async function forgetHistories(db: Connection, org: ObjectId, members: readonly ObjectId[]): Promise<number> {
  const histories = collectionOf(db, activityHistoryResource);
  const left = { org, memberID: { $in: [...members] }, $or: personal.map((path) => ({ [path]: { $exists: true } })) };
  for (let changed = 0; ; ) {
    const page = await histories
      .find(left, { projection: { _id: 1 } })
      .limit(pageSize)
      .toArray();
    if (page.length === 0) return changed;
    const ids = page.map(({ _id }) => _id);
    // As a pipeline, which reaches into every element of a list.
    const { modifiedCount } = await histories.updateMany({ org, _id: { $in: ids } }, [{ $unset: personal }]);
    changed += modifiedCount;
  }
}
