import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { dayOn } from '#base/calendar/localCalendar';
import { largerPeriods, type Period, periodNamed } from '#base/calendar/periods';
import { collectionOf } from '#base/db/collections';
import { hasLostRace, inTransaction, withRetries } from '#base/db/transaction';
import { type DaySum, foldPeriod } from '#engine/sums/foldMetrics';
import { type Aggregate, aggregateCollection } from '#records/aggregates/aggregate';
import { type Org, orgResource } from '#records/users/org';
import { addToAggregates } from './addToAggregates';

/** Number of members in one transaction. A member may have a day of each metric for years. */
const membersMax = 5;

const daily = periodNamed('daily');

/**
 * Fills larger periods that were added in a later version of the service, from the daily aggregates of the past. The
 * aggregates of a member in such a period are computed again from the contributions of its days to larger periods. So
 * several processes may do this at once, also during roll-ups, and may be killed. Code that moves aggregates between
 * members must call this first.
 */
export async function fillPeriods(db: Connection, orgId: ObjectId, now: Date): Promise<void> {
  const found = await collectionOf(db, orgResource).findOne({ _id: orgId });
  if (!found) return;
  const org = { ...found, filledPeriods: found.filledPeriods ?? (await startFilling(db, orgId)) };
  for (const period of largerPeriods) {
    if (org.filledPeriods.includes(period.name)) continue;
    let from: ObjectId | undefined;
    do from = await withRetries(() => fillPage(db, org, period, { from, now }), { isWorthRetrying: hasLostRace });
    while (from);
    await collectionOf(db, orgResource).updateOne({ _id: orgId }, { $addToSet: { filledPeriods: period.name } });
  }
}

/** Stores which periods an earlier version rolled up: those that have aggregates. */
async function startFilling(db: Connection, org: ObjectId): Promise<string[]> {
  const filled: string[] = [];
  for (const period of largerPeriods) {
    if (await aggregateCollection(db, period).findOne({ org }, { projection: { _id: 1 } })) filled.push(period.name);
  }
  const orgs = collectionOf(db, orgResource);
  await orgs.updateOne({ _id: org, filledPeriods: { $exists: false } }, { $set: { filledPeriods: filled } });
  return (await orgs.findOne({ _id: org }))?.filledPeriods ?? filled;
}

interface PageOptions {
  from: ObjectId | undefined;
  now: Date;
}

/**
 * Fills a period for the next members.
 * @returns the last of these members; undefined when no member was left
 */
function fillPage(
  db: Connection,
  { _id: org, systemUser }: Pick<Org, '_id' | 'systemUser'>,
  period: Period,
  { from, now }: PageOptions,
): Promise<ObjectId | undefined> {
  return inTransaction(db, async (session) => {
    // After another process has filled it, aggregates may be moving between members.
    const isFilled = { _id: org, filledPeriods: period.name };
    if (await collectionOf(db, orgResource).findOne(isFilled, { session })) return undefined;
    const members = await membersFrom(db, session, org, from);
    const last = members.at(-1);
    if (!last) return undefined;
    const filter = { org, memberId: { $in: members } };
    const days = await aggregateCollection(db, daily).find(filter, { session }).toArray();
    const sums = foldPeriod(period, days.flatMap(propagatedSum));
    await aggregateCollection(db, period).deleteMany(filter, { session });
    await addToAggregates(db, session, { period, sums, author: { org, userId: systemUser }, now });
    return last;
  });
}

/** Finds the next members after `from` that have daily aggregates. */
async function membersFrom(db: Connection, session: ClientSession, org: ObjectId, from: ObjectId | undefined) {
  const members: ObjectId[] = [];
  for (let last = from; members.length < membersMax; ) {
    const after = last ? { memberId: { $gt: last } } : {};
    const options = { session, projection: { memberId: 1 }, sort: { org: 1, memberId: 1 } } as const;
    const day = await aggregateCollection(db, daily).findOne({ org, ...after }, options);
    if (!day) break;
    last = day.memberId;
    members.push(last);
  }
  return members;
}

/** Returns the part of a daily aggregate that the larger periods include. */
function propagatedSum({
  memberId,
  metricName,
  propagatedValue = 0,
  year = 0,
  month = 1,
  day = 1,
}: Aggregate): DaySum[] {
  if (propagatedValue === 0) return [];
  return [{ member: memberId, metric: metricName, day: dayOn(year, month, day), value: propagatedValue }];
}
