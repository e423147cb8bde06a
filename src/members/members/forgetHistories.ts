import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { activityHistoryResource } from '#records/activities/activityHistory';

/** Number of histories that one update changes. */
const pageSize = 200;

/**
 * Fields of a history that may say who the member was: ids as sent, extension fields, card numbers, fact snapshots, and
 * the day and number of a birthday, from which the birth date follows.
 */
export const personalFields: readonly string[] = [
  'loyaltyID',
  'referralCode',
  'ext',
  'tenderItems.itemNo',
  'lineItems.ext',
  'factsRead',
  'occasion.on',
  'occasion.years',
];

/**
 * Removes personal data from the histories of erased members: the ids as sent, extension fields, numbers of means of
 * payment, the fact values that rules read, and the days of birthdays. The purchase and its changes to the ledger stay.
 * @returns how many histories were changed
 */
export async function forgetHistories(db: Connection, org: ObjectId, members: readonly ObjectId[]): Promise<number> {
  const histories = collectionOf(db, activityHistoryResource);
  const left = {
    org,
    memberID: { $in: [...members] },
    $or: personalFields.map((path) => ({ [path]: { $exists: true } })),
  };
  for (let changed = 0; ; ) {
    const page = await histories
      .find(left, { projection: { _id: 1 } })
      .limit(pageSize)
      .toArray();
    if (page.length === 0) return changed;
    const ids = page.map(({ _id }) => _id);
    // An aggregation pipeline, because its `$unset` reaches every element of an array.
    const { modifiedCount } = await histories.updateMany({ org, _id: { $in: ids } }, [{ $unset: [...personalFields] }]);
    changed += modifiedCount;
  }
}
