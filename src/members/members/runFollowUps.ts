import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import type { DocOf } from '#base/schema/resource';
import { moveAggregates } from '#members/aggregates/moveAggregates';
import { finalSurvivor } from '#members/memberState/readMember';
import { forgetAnswers } from '#platform/http/keys/forgetAnswers';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { followUpResource } from '#records/members/followUp';
import { memberResource } from '#records/members/member';
import { issuedRewardResource } from '#records/offers/issuedReward';
import { accrualItemResource } from '#records/points/accrualItem';
import { forgetHistories } from './forgetHistories';
import { forgetRefused } from './forgetRefused';

/** The number of records that a run changed. All are zero when nothing was left to do. */
export interface FollowUpCounts {
  /** Activity histories that moved to a survivor, or lost their personal data. */
  histories: number;
  /** Spent accrual items that moved to a survivor. */
  items: number;
  /** Issued rewards that moved to a survivor. */
  rewards: number;
  /** Members with a `familyHead` or `referredBy` that was changed from a merged member to its survivor. */
  members: number;
  /** Aggregates that moved to a survivor, and metric events, which are not rolled up yet. */
  aggregates: number;
}

/** Number of records that one update changes. */
const pageSize = 500;

/**
 * A follow-up stays open at least this long after its merge or erasure. Commits and roll-ups that began before the
 * merge may still write records of the merged member.
 */
const openMs = 60_000;

const none: FollowUpCounts = { histories: 0, items: 0, rewards: 0, members: 0, aggregates: 0 };
const names = ['histories', 'items', 'rewards', 'members', 'aggregates'] as const satisfies (keyof FollowUpCounts)[];

/**
 * Does the work that merges and erasures of an org left for later. Each step changes only records that still need it,
 * so several runs may work at once, and the next run continues a killed one.
 */
export async function runFollowUps(db: Connection, org: ObjectId, now: Date): Promise<FollowUpCounts> {
  const total = { ...none };
  const open = collectionOf(db, followUpResource).find({ org }).sort({ since: 1 });
  for await (const followUp of open) {
    const counts =
      followUp.after === 'merge' ? await followMerge(db, followUp, now) : await followErasure(db, followUp);
    for (const name of names) total[name] += counts[name];
    const isDone = Object.values(counts).every((count) => count === 0);
    if (isDone && followUp.since.getTime() + openMs <= now.getTime()) {
      await collectionOf(db, followUpResource).deleteOne({ _id: followUp._id, org });
    }
  }
  return total;
}

type FollowUp = DocOf<typeof followUpResource>;

async function followMerge(db: Connection, { _id: merged, org }: FollowUp, now: Date): Promise<FollowUpCounts> {
  const survivor = await finalSurvivor(db, org, merged);
  const handOverReferences = (field: string) =>
    handOver(db, { org, path: memberResource.path, field, touchedAt: now }, merged, survivor);
  return {
    histories: await handOver(db, { org, path: activityHistoryResource.path, field: 'memberID' }, merged, survivor),
    items: await handOver(db, { org, path: accrualItemResource.path, field: 'member' }, merged, survivor),
    rewards: await handOver(db, { org, path: issuedRewardResource.path, field: 'member' }, merged, survivor),
    members: (await handOverReferences('familyHead')) + (await handOverReferences('referredBy')),
    aggregates: await moveAggregates(db, org, { merged, survivor }, now),
  };
}

/** The collection to change, and its field that names the member. */
interface MemberReference {
  org: ObjectId;
  path: string;
  field: string;
  /** For members: the date of the change, which raises their version too. */
  touchedAt?: Date;
}

/**
 * Moves records from one member to another, a page at a time. The merge itself moved the lots that have points, so lots
 * found here are spent. Later requests reach these lots only through the survivor.
 */
async function handOver(
  db: Connection,
  { org, path, field, touchedAt }: MemberReference,
  from: ObjectId,
  to: ObjectId,
): Promise<number> {
  const collection = db.collection<{ _id: ObjectId }>(path);
  for (let moved = 0; ; ) {
    const page = await collection
      .find({ org, [field]: from }, { projection: { _id: 1 } })
      .limit(pageSize)
      .toArray();
    if (page.length === 0) return moved;
    const ids = page.map(({ _id }) => _id);
    const update = touchedAt
      ? { $set: { [field]: to, updatedAt: touchedAt }, $inc: { version: 1 } }
      : { $set: { [field]: to } };
    moved += (await collection.updateMany({ org, _id: { $in: ids }, [field]: from }, update)).modifiedCount;
  }
}

/** Removes personal data of the member and of the members that were merged into it before. */
async function followErasure(db: Connection, { _id, org }: FollowUp): Promise<FollowUpCounts> {
  const member = await collectionOf(db, memberResource).findOne({ _id, org });
  const members = [_id, ...(member?.mergeIds ?? [])];
  // Requests that ran during the erasure may have stored their answers after it.
  await forgetAnswers(db, org, members);
  if (member) await forgetRefused(db, member);
  return { ...none, histories: await forgetHistories(db, org, members) };
}
