import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { calendarFields, periodNamed } from '#base/calendar/periods';
import { collectionOf } from '#base/db/collections';
import type { Author } from '#base/db/records';
import { GuardFailed, inTransaction } from '#base/db/transaction';
import type { DocOf } from '#base/schema/resource';
import { foldDays } from '#engine/sums/foldMetrics';
import { metricEntries, metricEventsResource } from '#records/aggregates/metricEvents';
import { addToAggregates } from './addToAggregates';
import { type DrainedPage, emptyDrain } from './drainPages';
import { addToCounts } from './recordCounts';

type MetricEvents = DocOf<typeof metricEventsResource>;

/**
 * Limits of one transaction: events, and daily aggregates to write. A page has at least one event, even a larger one.
 * All changes of one aggregate in a page are one write, so a page of busy members has many events.
 */
const pageLimits = { eventsMax: 5000, aggregatesMax: 4000 } as const;

/**
 * Adds one page of metric events to the daily aggregates and the record counts, and deletes the events. One transaction
 * does all this, so each event counts exactly once, even after a crash. The page begins after the id `from`.
 */
export function rollUpDays(db: Connection, author: Author, now: Date, from?: ObjectId): Promise<DrainedPage> {
  return inTransaction(db, async (session) => {
    const page = await readPage(db, session, author.org, from);
    const last = page.at(-1);
    if (!last) return emptyDrain;
    await deletePage(db, session, author.org, page);
    const commits = page.map(({ made }) => made);
    await addToCounts(db, session, author, now, commits);
    const days = foldDays(page.flatMap(({ entries }) => metricEntries(entries)));
    const sums = days.map((day) => ({ ...day, calendar: calendarFields(day.day) }));
    await addToAggregates(db, session, { period: periodNamed('daily'), sums, author, now });
    return { size: page.length, last: last._id };
  });
}

async function readPage(db: Connection, session: ClientSession, org: ObjectId, from: ObjectId | undefined) {
  const found = collectionOf(db, metricEventsResource)
    .find({ org, ...(from ? { _id: { $gt: from } } : {}) }, { session, batchSize: 500 })
    .sort({ org: 1, _id: 1 })
    .limit(pageLimits.eventsMax);
  const page: MetricEvents[] = [];
  const aggregates = new Set<string>();
  for await (const event of found) {
    page.push(event);
    for (const { member, day, changes } of event.entries) {
      const prefix = `${member.toHexString()} ${day.getTime()}`;
      for (const { metric } of changes) aggregates.add(`${prefix} ${metric}`);
    }
    if (aggregates.size >= pageLimits.aggregatesMax) break;
  }
  return page;
}

async function deletePage(db: Connection, session: ClientSession, org: ObjectId, page: MetricEvents[]): Promise<void> {
  const _id = { $in: page.map((event) => event._id) };
  const { deletedCount } = await collectionOf(db, metricEventsResource).deleteMany({ org, _id }, { session });
  if (deletedCount !== page.length) throw new GuardFailed('Metric events were folded meanwhile');
}
