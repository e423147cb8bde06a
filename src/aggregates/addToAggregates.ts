import type { ClientSession, Connection } from 'mongoose';
import { type Author, newStamps, updateStamps } from '../db/records';
import { aggregateId, aggregatesOf } from './aggregate';
import type { PeriodSum } from './foldMetrics';
import type { Calendar, Period } from './periods';

/** Adds sums to the aggregates of one period inside a transaction, making those that are new. */
export async function addToAggregates(
  db: Connection,
  session: ClientSession,
  options: { period: Period; sums: readonly PeriodSum[]; author: Author; now: Date },
): Promise<void> {
  const { period, sums, author, now } = options;
  if (sums.length === 0) return;
  const writes = sums.map((sum) => addition(period, sum, author, now));
  await aggregatesOf(db, period).bulkWrite(writes, { session, ordered: false });
}

function addition(period: Period, { member, metric, calendar, value }: PeriodSum, author: Author, now: Date) {
  const { _id, org, createdAt, createdBy } = newStamps(
    author,
    now,
    aggregateId(period, author.org, member, metric, calendar),
  );
  const isDaily = period.name === 'daily';
  return {
    updateOne: {
      filter: { _id, org },
      update: {
        $inc: { metricAggValue: value },
        $set: { lastAggDate: now, ...updateStamps(author, now), ...(isDaily ? { dirty: true } : {}) },
        $setOnInsert: {
          createdAt,
          createdBy,
          memberId: member,
          metricName: metric,
          mergeIds: [],
          ...place(period, calendar),
          ...(isDaily ? { propagatedValue: 0 } : {}),
        },
      },
      upsert: true,
    },
  };
}

function place(period: Period, calendar: Calendar): Partial<Calendar> {
  return Object.fromEntries(period.fields.map((field) => [field, calendar[field]]));
}
