import type { ClientSession, Connection } from 'mongoose';
import type { Author } from '../db/records';
import { GuardFailed, inTransaction } from '../db/transaction';
import { addToAggregates } from './addToAggregates';
import { type Aggregate, aggregatesOf } from './aggregate';
import { type DaySum, foldPeriod } from './foldMetrics';
import { largerPeriods, periodNamed } from './periods';

/** Days of one transaction; each may touch one document of every larger period. */
const daysMax = 400;

const daily = periodNamed('daily');

/**
 * Adds what a page of daily aggregates changed by to the larger periods, each touched document once, and marks the
 * days clean, in one transaction.
 * @returns how many days it took; 0 when none is left
 */
export function rollUpPeriods(db: Connection, author: Author, now: Date): Promise<number> {
  return inTransaction(db, async (session) => {
    const days = await aggregatesOf(db, daily)
      .find({ org: author.org, dirty: true }, { session })
      .sort({ memberId: 1, metricName: 1 })
      .limit(daysMax)
      .toArray();
    if (days.length === 0) return 0;
    await markClean(db, session, author, days);
    const changes = days.map(changeOf);
    for (const period of largerPeriods) {
      await addToAggregates(db, session, { period, sums: foldPeriod(period, changes), author, now });
    }
    return days.length;
  });
}

/**
 * The days were read in this transaction's snapshot, and a day that somebody changed since conflicts: what is marked
 * is the value that was seen.
 */
async function markClean(db: Connection, session: ClientSession, { org }: Author, days: Aggregate[]): Promise<void> {
  const { matchedCount } = await aggregatesOf(db, daily).updateMany(
    { org, _id: { $in: days.map(({ _id }) => _id) }, dirty: true },
    [{ $set: { propagatedValue: '$metricAggValue' } }, { $unset: 'dirty' }],
    { session },
  );
  if (matchedCount !== days.length) throw new GuardFailed('Daily aggregates were propagated meanwhile');
}

function changeOf({ memberId, metricName, metricAggValue, propagatedValue = 0, year, month, day }: Aggregate): DaySum {
  const midnight = new Date(0);
  midnight.setUTCFullYear(year ?? 0, (month ?? 1) - 1, day ?? 1);
  return { member: memberId, metric: metricName, day: midnight, value: metricAggValue - propagatedValue };
}
