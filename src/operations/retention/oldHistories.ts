import { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { distinctIds, lowestId } from '#base/db/records';
import { type ActivityHistory, activityHistoryResource } from '#records/activities/activityHistory';
import { recordCountId, recordCountResource } from '#records/aggregates/recordCount';
import { issuedRewardResource } from '#records/offers/issuedReward';
import { accrualItemResource } from '#records/points/accrualItem';

/**
 * The latest histories of a member that stay however old they are. Decisions look at the latest activities of a member:
 * the last visit, and those that keep points from expiring by inactivity.
 */
const latestKept = 3;

/** What is known of a history that may be too old to be needed. */
export type OldHistory = Pick<ActivityHistory, '_id' | 'memberID' | 'date'>;

/** Histories that are looked at together. */
const pageSize = 200;

/** The histories of an org that were posted and dated before an instant, in the order of their ids. */
export async function* oldHistories(
  db: Connection,
  org: ObjectId,
  before: Date,
): AsyncGenerator<OldHistory[], void, undefined> {
  // An id begins with the second in which it was made.
  const end = ObjectId.createFromTime(Math.floor(before.getTime() / 1000));
  for (let after = lowestId; ; ) {
    const page: OldHistory[] = await collectionOf(db, activityHistoryResource)
      .find({ org, _id: { $gt: after, $lt: end } })
      .sort({ _id: 1 })
      .limit(pageSize)
      .project<OldHistory>({ memberID: 1, date: 1 })
      .toArray();
    const last = page.at(-1);
    if (!last) return;
    after = last._id;
    const old = page.filter(({ date }) => date < before);
    if (old.length > 0) yield old;
  }
}

/** The transaction that reads; absent: none. */
interface ReadIn {
  session?: ClientSession;
}

/**
 * Those of these old histories that nothing needs any more: their points are spent or expired, their rewards used or
 * withdrawn, and they are not among the latest of their member.
 */
export async function unneededHistories(
  db: Connection,
  at: ReadIn,
  org: ObjectId,
  old: readonly OldHistory[],
): Promise<ObjectId[]> {
  if (old.length === 0) return [];
  const needed = new Set([...(await withPoints(db, at, org, old)), ...(await withRewards(db, at, org, old))]);
  const latest = await latestDates(db, at, org, old);
  return old.flatMap(({ _id, memberID, date }) => {
    const isLatest = date >= (latest.get(memberID.toHexString()) ?? new Date(0));
    return isLatest || needed.has(_id.toHexString()) ? [] : [_id];
  });
}

/** Ids of histories with points that are not spent, as hexadecimal strings. */
async function withPoints(db: Connection, at: ReadIn, org: ObjectId, old: readonly OldHistory[]) {
  const some = { $gt: 0 };
  const lots = await collectionOf(db, accrualItemResource)
    .find(
      { org, activity: { $in: old.map(({ _id }) => _id) }, $or: [{ availablePoints: some }, { escrowedPoints: some }] },
      at,
    )
    .project<{ activity: ObjectId }>({ activity: 1 })
    .toArray();
  return lots.map(({ activity }) => activity.toHexString());
}

/**
 * Ids of activities of the same members that issued rewards which are open, or have costs that may still be returned.
 */
async function withRewards(db: Connection, at: ReadIn, org: ObjectId, old: readonly OldHistory[]) {
  const members = distinctIds(old.map(({ memberID }) => memberID));
  const rewards = await collectionOf(db, issuedRewardResource)
    .find({ org, member: { $in: members }, $or: [{ status: 'Issued' }, { isRecalled: true }] }, at)
    .project<{ activity: ObjectId }>({ activity: 1 })
    .toArray();
  return rewards.map(({ activity }) => activity.toHexString());
}

/** The dates from which on the histories of these members are among their latest; absent for members with few. */
async function latestDates(db: Connection, at: ReadIn, org: ObjectId, old: readonly OldHistory[]) {
  const dates = new Map<string, Date>();
  for (const memberID of distinctIds(old.map((each) => each.memberID))) {
    const [oldest] = await collectionOf(db, activityHistoryResource)
      .find({ org, memberID, status: 'Processed', type: { $in: ['Accrual', 'Redemption'] } }, at)
      .project<{ date: Date }>({ date: 1 })
      .sort({ date: -1 })
      .skip(latestKept - 1)
      .limit(1)
      .toArray();
    dates.set(memberID.toHexString(), oldest?.date ?? new Date(0));
  }
  return dates;
}

/**
 * Whether the histories of an org are counted. Before the first roll-up they are not, and a count that begins while
 * some are deleted would have these too.
 */
export async function areHistoriesCounted(db: Connection, org: ObjectId): Promise<boolean> {
  const found = await collectionOf(db, recordCountResource).findOne({
    _id: recordCountId(org, 'activityhistories'),
    org,
  });
  return found !== null;
}
