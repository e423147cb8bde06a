import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import type { Calendar, Period } from '#base/calendar/periods';
import { insertAll, updateAll } from '#base/db/collections';
import { type Author, newStamps, updateStamps } from '#base/db/records';
import type { PeriodSum } from '#engine/sums/foldMetrics';
import { type Aggregate, aggregateCollection, aggregateId } from '#records/aggregates/aggregate';

/** The sums to add to the aggregates of one period. */
interface Addition {
  period: Period;
  sums: readonly PeriodSum[];
  author: Author;
  now: Date;
}

/**
 * Adds sums to the aggregates of one period inside a transaction, and creates missing aggregates. First it reads which
 * ones are missing, because an insert costs a third of an upsert. An aggregate that another process creates in the
 * meantime is a conflict.
 */
export async function addToAggregates(db: Connection, session: ClientSession, addition: Addition): Promise<void> {
  const { period, author } = addition;
  const rows = addition.sums.map((sum) => ({
    sum,
    id: aggregateId(period, author.org, sum.member, sum.metric, sum.calendar),
  }));
  const stored = await storedIds(
    db,
    session,
    addition,
    rows.map(({ id }) => id),
  );
  const isStored = ({ id }: { id: ObjectId }) => stored.has(id.toHexString());
  const made = rows.filter((row) => !isStored(row)).map(({ sum, id }) => newAggregate(addition, sum, id));
  const updates = rows.filter(isStored).map(({ sum, id }) => increase(addition, sum, id));
  await insertAll(db, session, period.path, made);
  await updateAll(db, session, period.path, updates);
}

async function storedIds(
  db: Connection,
  session: ClientSession,
  { period, author: { org } }: Addition,
  ids: ObjectId[],
) {
  if (ids.length === 0) return new Set<string>();
  const found = await aggregateCollection(db, period)
    .find({ _id: { $in: ids }, org }, { session, hint: { _id: 1 } })
    .project<{ _id: ObjectId }>({ _id: 1 })
    .toArray();
  return new Set(found.map(({ _id }) => _id.toHexString()));
}

function newAggregate({ period, author, now }: Addition, sum: PeriodSum, id: ObjectId): Aggregate {
  const { member, metric, calendar, value } = sum;
  return {
    memberId: member,
    metricName: metric,
    ...place(period, calendar),
    metricAggValue: value,
    lastAggDate: now,
    mergeIds: [],
    ...newStamps(author, now, id),
    ...(period.name === 'daily' ? { propagatedValue: 0, dirty: true } : {}),
  };
}

function increase({ period, author, now }: Addition, { member, value }: PeriodSum, _id: ObjectId) {
  const dirty = period.name === 'daily' ? { dirty: true } : {};
  const update = {
    $inc: { metricAggValue: value },
    $set: { lastAggDate: now, ...updateStamps(author, now), ...dirty },
  };
  return { q: { _id, org: author.org, memberId: member }, u: update };
}

function place(period: Period, calendar: Calendar): Partial<Calendar> {
  return Object.fromEntries(period.fields.map((field) => [field, calendar[field]]));
}
