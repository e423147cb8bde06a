import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { dayOn } from '../../calendar/localCalendar';
import { largerPeriods, periodNamed } from '../../calendar/periods';
import type { Author } from '../../db/records';
import { GuardFailed, inTransaction } from '../../db/transaction';
import { type Aggregate, aggregatesOf } from '../../records/aggregates/aggregate';
import { type DaySum, foldPeriod } from '../sums/foldMetrics';
import { addToAggregates } from './addToAggregates';
import { emptyPage, type Page } from './drainPages';

/** Days of one transaction; each may touch one document of every larger period. */
const daysMax = 400;

const daily = periodNamed('daily');

/**
 * Adds what a page of daily aggregates changed by to the larger periods, each touched document once, and marks the
 * days clean, in one transaction. Takes days of the member `from` and those after.
 */
export function rollUpPeriods(db: Connection, author: Author, now: Date, from?: ObjectId): Promise<Page> {
  return inTransaction(db, async (session) => {
    const days = await aggregatesOf(db, daily)
      .find({ org: author.org, dirty: true, ...(from ? { memberId: { $gte: from } } : {}) }, { session })
      .sort({ memberId: 1, metricName: 1 })
      .limit(daysMax)
      .toArray();
    const last = days.at(-1);
    if (!last) return emptyPage;
    await markClean(db, session, author, days);
    const changes = days.map(changeOf);
    for (const period of largerPeriods) {
      await addToAggregates(db, session, { period, sums: foldPeriod(period, changes), author, now });
    }
    return { size: days.length, last: last.memberId };
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
    // Without the hint the planner may take the index of all dirty days.
    { session, hint: { _id: 1 } },
  );
  if (matchedCount !== days.length) throw new GuardFailed('Daily aggregates were propagated meanwhile');
}

function changeOf({ memberId, metricName, metricAggValue, propagatedValue = 0, year, month, day }: Aggregate): DaySum {
  const on = dayOn(year ?? 0, month ?? 1, day ?? 1);
  return { member: memberId, metric: metricName, day: on, value: metricAggValue - propagatedValue };
}
