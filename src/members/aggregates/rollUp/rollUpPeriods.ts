import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { largerPeriods, periodNamed } from '#base/calendar/periods';
import type { Author } from '#base/db/records';
import { GuardFailed, inTransaction } from '#base/db/transaction';
import { type DaySum, foldPeriod } from '#engine/sums/foldMetrics';
import { type Aggregate, aggregateCollection, dayOfAggregate } from '#records/aggregates/aggregate';
import { addToAggregates } from './addToAggregates';
import { type DrainedPage, emptyDrain } from './drainPages';

/** Number of daily aggregates in one transaction; each may change one document of every larger period. */
const daysMax = 400;

const daily = periodNamed('daily');

/** The members whose days are rolled up: some, or all from one on. Absent: all of the org. */
export type RolledMembers = { $in: readonly ObjectId[] } | { $gte: ObjectId };

/**
 * Adds the changes of a page of daily aggregates to the larger periods and marks the days clean, in one transaction.
 * Each changed document is written once.
 */
export function rollUpPeriods(
  db: Connection,
  author: Author,
  now: Date,
  members?: RolledMembers,
): Promise<DrainedPage> {
  return inTransaction(db, async (session) => {
    const days = await aggregateCollection(db, daily)
      .find({ org: author.org, dirty: true, ...(members ? { memberId: members } : {}) }, { session })
      .sort({ memberId: 1, metricName: 1 })
      .limit(daysMax)
      .toArray();
    const last = days.at(-1);
    if (!last) return emptyDrain;
    await markClean(db, session, author, days);
    const changes = days.map(dayChange);
    for (const period of largerPeriods) {
      await addToAggregates(db, session, { period, sums: foldPeriod(period, changes), author, now });
    }
    return { size: days.length, last: last.memberId };
  });
}

/**
 * Marks the days clean. They were read in the snapshot of this transaction, and a day that changed since then is a
 * conflict. So the marked value is the value that was read.
 */
async function markClean(db: Connection, session: ClientSession, { org }: Author, days: Aggregate[]): Promise<void> {
  const { matchedCount } = await aggregateCollection(db, daily).updateMany(
    { org, _id: { $in: days.map(({ _id }) => _id) }, dirty: true },
    [{ $set: { propagatedValue: '$metricAggValue' } }, { $unset: 'dirty' }],
    // Without the hint the query planner may use the index of all dirty days.
    { session, hint: { _id: 1 } },
  );
  if (matchedCount !== days.length) throw new GuardFailed('Daily aggregates were propagated meanwhile');
}

function dayChange(aggregate: Aggregate): DaySum {
  const { memberId, metricName, metricAggValue, propagatedValue = 0 } = aggregate;
  const value = metricAggValue - propagatedValue;
  return { member: memberId, metric: metricName, day: dayOfAggregate(aggregate), value };
}
