import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { type Period, periods } from '#base/calendar/periods';
import { collectionOf } from '#base/db/collections';
import { GuardFailed, inTransaction } from '#base/db/transaction';
import { lifetimeId } from '#engine/sums/lifetime';
import { type Aggregate, aggregateCollection, aggregateId } from '#records/aggregates/aggregate';
import { metricEventsResource } from '#records/aggregates/metricEvents';
import { type DrainedPage, drainPages, emptyDrain } from './rollUp/drainPages';
import { fillPeriods } from './rollUp/fillPeriods';

export interface AggregatesMove {
  merged: ObjectId;
  survivor: ObjectId;
}

/** Number of aggregates that one transaction moves. */
const pageSize = 200;

/**
 * Adds the aggregates of a merged member to those of the survivor, notes the member in their `mergeIds`, and moves its
 * metric events. Each page is one transaction, so that every value counts once, even after a crash.
 * @returns how many documents were moved; 0 when nothing was left
 */
export async function moveAggregates(db: Connection, org: ObjectId, move: AggregatesMove, now: Date): Promise<number> {
  await fillPeriods(db, org, now);
  let moved = await handOverEvents(db, org, move);
  for (const period of periods) {
    const isLeft = await aggregateCollection(db, period).findOne(
      { org, memberId: move.merged },
      { projection: { _id: 1 } },
    );
    if (isLeft) moved += await drainPages(() => movePage(db, org, period, move));
  }
  return moved;
}

async function handOverEvents(db: Connection, org: ObjectId, { merged, survivor }: AggregatesMove): Promise<number> {
  const { modifiedCount } = await collectionOf(db, metricEventsResource).updateMany(
    { org, 'entries.member': merged },
    { $set: { 'entries.$[each].member': survivor } },
    { arrayFilters: [{ 'each.member': merged }] },
  );
  return modifiedCount;
}

function movePage(
  db: Connection,
  org: ObjectId,
  period: Period,
  { merged, survivor }: AggregatesMove,
): Promise<DrainedPage> {
  return inTransaction(db, async (session) => {
    const page = await aggregateCollection(db, period)
      .find({ org, memberId: merged }, { session })
      .limit(pageSize)
      .toArray();
    if (page.length === 0) return emptyDrain;
    await removeAll(db, session, period, org, page);
    const writes = page.map((aggregate) => ({ updateOne: addition(period, aggregate, survivor) }));
    await aggregateCollection(db, period).bulkWrite(writes, { session, ordered: true });
    return { size: page.length };
  });
}

async function removeAll(db: Connection, session: ClientSession, period: Period, org: ObjectId, page: Aggregate[]) {
  const _id = { $in: page.map((aggregate) => aggregate._id) };
  const { deletedCount } = await aggregateCollection(db, period).deleteMany({ org, _id }, { session });
  if (deletedCount !== page.length) throw new GuardFailed('Aggregates were moved meanwhile');
}

/**
 * Makes the write that adds an aggregate to the survivor's. `propagatedValue`, the part of a daily value that larger
 * periods include, moves too, because the larger periods are moved as well. The next roll-up adds the rest to the
 * larger periods.
 */
function addition(period: Period, aggregate: Aggregate, survivor: ObjectId) {
  const { _id, memberId, metricAggValue, propagatedValue = 0, lastAggDate, mergeIds, dirty, ...kept } = aggregate;
  const isDaily = period.name === 'daily';
  return {
    filter: { _id: idFor(period, aggregate, survivor), org: aggregate.org, memberId: survivor },
    update: {
      $inc: { metricAggValue, ...(isDaily ? { propagatedValue } : {}) },
      $max: { lastAggDate },
      $addToSet: { mergeIds: { $each: [...mergeIds, memberId] } },
      ...(dirty ? { $set: { dirty } } : {}),
      $setOnInsert: kept,
    },
    upsert: true,
  };
}

function idFor(period: Period, { org, metricName, expirationDate, ...place }: Aggregate, member: ObjectId): ObjectId {
  if (period.name === 'lifetime') return lifetimeId(member, metricName, expirationDate);
  return aggregateId(period, org, member, metricName, place);
}
