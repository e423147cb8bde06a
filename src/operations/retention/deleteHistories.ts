import { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { collectionOf, updateAll } from '#base/db/collections';
import { type Author, distinctIds, updateStamps } from '#base/db/records';
import { inTransaction, withRetries } from '#base/db/transaction';
import { type ActivityHistory, activityHistoryResource } from '#records/activities/activityHistory';
import { recordCountId, recordCountResource } from '#records/aggregates/recordCount';
import { issuedRewardResource } from '#records/offers/issuedReward';
import { accrualItemResource } from '#records/points/accrualItem';
import { orgResource } from '#records/users/org';

/** Histories that are looked at together, and deleted in one transaction. */
const pageSize = 200;

/**
 * The latest histories of a member that stay however old they are. Decisions look at the latest activities of a member:
 * the last visit, and those that keep points from expiring by inactivity.
 */
const latestKept = 3;

type Old = Pick<ActivityHistory, '_id' | 'memberID' | 'date'>;

/**
 * Deletes the histories of an org that were posted and dated before an instant, and that nothing needs any more: their
 * points are spent or expired, their rewards used or withdrawn, and they are not among the latest of their member.
 * Points and their journal stay. A run that was killed is continued by the next.
 * @returns how many were deleted
 */
export async function deleteHistories(db: Connection, author: Author, before: Date, now: Date): Promise<number> {
  const { org } = author;
  // Before the first roll-up there is no count of histories, and one that begins now would count what is deleted here.
  if (!(await collectionOf(db, recordCountResource).findOne({ _id: historyCountId(org), org }))) return 0;
  // It is noted first, so that nobody misses what is deleted.
  await collectionOf(db, orgResource).updateOne({ _id: org }, { $max: { historiesDeletedBefore: before } });
  const histories = collectionOf(db, activityHistoryResource);
  // An id begins with the second in which it was made.
  const end = ObjectId.createFromTime(Math.floor(before.getTime() / 1000));
  let after = new ObjectId('000000000000000000000000');
  for (let deleted = 0; ; ) {
    const page: Old[] = await histories
      .find({ org, _id: { $gt: after, $lt: end } })
      .sort({ _id: 1 })
      .limit(pageSize)
      .project<Old>({ memberID: 1, date: 1 })
      .toArray();
    const last = page.at(-1);
    if (!last) return deleted;
    after = last._id;
    const old = page.filter(({ date }) => date < before);
    deleted += await deleteUnneeded(db, author, old, now);
  }
}

async function deleteUnneeded(db: Connection, author: Author, old: readonly Old[], now: Date): Promise<number> {
  if (old.length === 0) return 0;
  const attempt = (session: ClientSession) => deletePage(db, session, author, old, now);
  return withRetries(() => inTransaction(db, attempt), {});
}

async function deletePage(db: Connection, session: ClientSession, author: Author, old: readonly Old[], now: Date) {
  const { org } = author;
  const needed = new Set([...(await withPoints(db, session, org, old)), ...(await withRewards(db, session, org, old))]);
  const latest = await latestDates(db, session, org, old);
  const ids = old.flatMap(({ _id, memberID, date }) => {
    const isLatest = date >= (latest.get(memberID.toHexString()) ?? new Date(0));
    return isLatest || needed.has(_id.toHexString()) ? [] : [_id];
  });
  if (ids.length === 0) return 0;
  const { path } = activityHistoryResource;
  const { deletedCount } = await db.collection(path).deleteMany({ org, _id: { $in: ids } }, { session });
  const less = { ...updateStamps(author, now), count: { $add: ['$count', -deletedCount] } };
  const update = { q: { _id: historyCountId(org), org }, u: [{ $set: less }] };
  await updateAll(db, session, recordCountResource.path, [update]);
  return deletedCount;
}

function historyCountId(org: ObjectId): ObjectId {
  return recordCountId(org, 'activityhistories');
}

/** Ids of histories with points that are not spent, as hexadecimal strings. */
async function withPoints(db: Connection, session: ClientSession, org: ObjectId, old: readonly Old[]) {
  const some = { $gt: 0 };
  const lots = await collectionOf(db, accrualItemResource)
    .find(
      { org, activity: { $in: old.map(({ _id }) => _id) }, $or: [{ availablePoints: some }, { escrowedPoints: some }] },
      { session },
    )
    .project<{ activity: ObjectId }>({ activity: 1 })
    .toArray();
  return lots.map(({ activity }) => activity.toHexString());
}

/**
 * Ids of activities of the same members that issued rewards which are open, or have costs that may still be returned.
 */
async function withRewards(db: Connection, session: ClientSession, org: ObjectId, old: readonly Old[]) {
  const members = distinctIds(old.map(({ memberID }) => memberID));
  const rewards = await collectionOf(db, issuedRewardResource)
    .find({ org, member: { $in: members }, $or: [{ status: 'Issued' }, { isRecalled: true }] }, { session })
    .project<{ activity: ObjectId }>({ activity: 1 })
    .toArray();
  return rewards.map(({ activity }) => activity.toHexString());
}

/** The dates from which on the histories of these members are among their latest; absent for members with few. */
async function latestDates(db: Connection, session: ClientSession, org: ObjectId, old: readonly Old[]) {
  const dates = new Map<string, Date>();
  for (const memberID of distinctIds(old.map((each) => each.memberID))) {
    const [oldest] = await collectionOf(db, activityHistoryResource)
      .find({ org, memberID, status: 'Processed', type: { $in: ['Accrual', 'Redemption'] } }, { session })
      .project<{ date: Date }>({ date: 1 })
      .sort({ date: -1 })
      .skip(latestKept - 1)
      .limit(1)
      .toArray();
    dates.set(memberID.toHexString(), oldest?.date ?? new Date(0));
  }
  return dates;
}
