import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { dayOn } from '../../calendar/localCalendar';
import { largerPeriods, type Period, periodNamed } from '../../calendar/periods';
import { collectionOf } from '../../db/collections';
import { inTransaction, isDuplicateKey, isTransient, withRetries } from '../../db/transaction';
import { type Aggregate, aggregatesOf } from '../../records/aggregates/aggregate';
import { type Org, orgResource } from '../../records/users/org';
import { type DaySum, foldPeriod } from '../sums/foldMetrics';
import { addToAggregates } from './addToAggregates';

/** Members of one transaction; a member may have a day of each metric for years. */
const membersMax = 5;

const daily = periodNamed('daily');

/**
 * Fills the larger periods that this version knows and those before it did not, from the days of the past. What such a
 * period holds of a member is made anew of what its days have given to larger periods; so any number may do it at once,
 * beside roll-ups, and be killed. What moves aggregates from one member to another calls it first.
 */
export async function fillPeriods(db: Connection, orgId: ObjectId, now: Date): Promise<void> {
  const found = await collectionOf(db, orgResource).findOne({ _id: orgId });
  if (!found) return;
  const org = { ...found, filledPeriods: found.filledPeriods ?? (await startFilling(db, orgId)) };
  for (const period of largerPeriods) {
    if (org.filledPeriods.includes(period.name)) continue;
    let from: ObjectId | undefined;
    do from = await withRetries(() => fillPage(db, org, period, { from, now }), { isWorthRetrying });
    while (from);
    await collectionOf(db, orgResource).updateOne({ _id: orgId }, { $addToSet: { filledPeriods: period.name } });
  }
}

/** Notes which periods an earlier version rolled up: those that hold anything. */
async function startFilling(db: Connection, org: ObjectId): Promise<string[]> {
  const held: string[] = [];
  for (const period of largerPeriods) {
    if (await aggregatesOf(db, period).findOne({ org }, { projection: { _id: 1 } })) held.push(period.name);
  }
  const orgs = collectionOf(db, orgResource);
  await orgs.updateOne({ _id: org, filledPeriods: { $exists: false } }, { $set: { filledPeriods: held } });
  return (await orgs.findOne({ _id: org }))?.filledPeriods ?? held;
}

interface PageOptions {
  from: ObjectId | undefined;
  now: Date;
}

/** Somebody else made the same document. */
function isWorthRetrying(error: unknown): boolean {
  return isTransient(error) || isDuplicateKey(error);
}

/** Fills a period of the next members; gives the last of them, undefined when there was none. */
function fillPage(
  db: Connection,
  { _id: org, systemUser }: Pick<Org, '_id' | 'systemUser'>,
  period: Period,
  { from, now }: PageOptions,
): Promise<ObjectId | undefined> {
  return inTransaction(db, async (session) => {
    // Once somebody else has filled it, aggregates may be on their way between members.
    const isFilled = { _id: org, filledPeriods: period.name };
    if (await collectionOf(db, orgResource).findOne(isFilled, { session })) return undefined;
    const members = await membersFrom(db, session, org, from);
    const last = members.at(-1);
    if (!last) return undefined;
    const whose = { org, memberId: { $in: members } };
    const days = await aggregatesOf(db, daily).find(whose, { session }).toArray();
    const sums = foldPeriod(period, days.flatMap(heldOf));
    await aggregatesOf(db, period).deleteMany(whose, { session });
    await addToAggregates(db, session, { period, sums, author: { org, userId: systemUser }, now });
    return last;
  });
}

/** The next members, after `from`, that have days. */
async function membersFrom(db: Connection, session: ClientSession, org: ObjectId, from: ObjectId | undefined) {
  const members: ObjectId[] = [];
  for (let last = from; members.length < membersMax; ) {
    const after = last ? { memberId: { $gt: last } } : {};
    const options = { session, projection: { memberId: 1 }, sort: { org: 1, memberId: 1 } } as const;
    const day = await aggregatesOf(db, daily).findOne({ org, ...after }, options);
    if (!day) break;
    last = day.memberId;
    members.push(last);
  }
  return members;
}

/** What of a day the larger periods hold. */
function heldOf({ memberId, metricName, propagatedValue = 0, year = 0, month = 1, day = 1 }: Aggregate): DaySum[] {
  if (propagatedValue === 0) return [];
  return [{ member: memberId, metric: metricName, day: dayOn(year, month, day), value: propagatedValue }];
}
