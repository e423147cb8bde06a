import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { moveAggregates } from '../aggregates/moveAggregates';
import { collectionOf } from '../db/collections';
import { finalSurvivor } from '../memberState/readMember';
import { activityHistoryResource } from '../records/activities/activityHistory';
import { followUpResource } from '../records/members/followUp';
import { memberResource } from '../records/members/member';
import { accrualItemResource } from '../records/points/accrualItem';
import type { DocOf } from '../schema/resource';
import { forgetHistories } from './forgetHistories';

/** What a run did; all zero when nothing was left. */
export interface FollowUpCounts {
  /** Activity histories that went to a survivor, or lost what was personal. */
  histories: number;
  /** Spent accrual items that went to a survivor. */
  items: number;
  /** Aggregates and not yet rolled up commits that went to a survivor. */
  aggregates: number;
}

/** Records changed by one update. */
const pageSize = 500;

/**
 * How long a follow-up is looked at again after it found nothing left: commits and roll-ups that began before the merge
 * may still write in the merged member's name.
 */
const openMs = 60_000;

/**
 * Does for an org what merges and erasures left to do. Each step takes what is still there, so any number may run at
 * once, and a killed run is taken up by the next.
 */
export async function runFollowUps(db: Connection, org: ObjectId, now: Date): Promise<FollowUpCounts> {
  const total = { histories: 0, items: 0, aggregates: 0 };
  const open = collectionOf(db, followUpResource).find({ org }).sort({ since: 1 });
  for await (const followUp of open) {
    const counts =
      followUp.after === 'merge' ? await followMerge(db, followUp, now) : await followErasure(db, followUp);
    total.histories += counts.histories;
    total.items += counts.items;
    total.aggregates += counts.aggregates;
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
  return {
    histories: await hand(db, { org, path: activityHistoryResource.path, field: 'memberID' }, merged, survivor),
    items: await hand(db, { org, path: accrualItemResource.path, field: 'member' }, merged, survivor),
    aggregates: await moveAggregates(db, org, { merged, survivor }, now),
  };
}

/** Whose records, and which field of them names the member. */
interface Place {
  org: ObjectId;
  path: string;
  field: string;
}

/** Lots that hold points went with the merge itself, so those found here are spent, and nobody changes them but in the survivor's name. */
async function hand(db: Connection, { org, path, field }: Place, from: ObjectId, to: ObjectId): Promise<number> {
  const collection = db.collection<{ _id: ObjectId }>(path);
  for (let moved = 0; ; ) {
    const page = await collection
      .find({ org, [field]: from }, { projection: { _id: 1 } })
      .limit(pageSize)
      .toArray();
    if (page.length === 0) return moved;
    const ids = page.map(({ _id }) => _id);
    const update = { $set: { [field]: to } };
    moved += (await collection.updateMany({ org, _id: { $in: ids }, [field]: from }, update)).modifiedCount;
  }
}

/** The member itself, and those that were merged into it before. */
async function followErasure(db: Connection, { _id, org }: FollowUp): Promise<FollowUpCounts> {
  const member = await collectionOf(db, memberResource).findOne({ _id, org });
  const members = [_id, ...(member?.mergeIds ?? [])];
  return { histories: await forgetHistories(db, org, members), items: 0, aggregates: 0 };
}
