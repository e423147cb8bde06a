import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import type { Author } from '../db/records';
import { collectionOf, type DocOf } from '../db/resource';
import { GuardFailed, inTransaction } from '../db/transaction';
import { addToAggregates } from './addToAggregates';
import { foldDays } from './foldMetrics';
import { metricEventsResource } from './metricEvents';
import { calendarOf, periodNamed } from './periods';

type MetricEvents = DocOf<typeof metricEventsResource>;

/** Bounds of one transaction; a page holds at least one event, however large. */
const pageLimits = { eventsMax: 200, entriesMax: 4000 } as const;

/**
 * Folds one page of committed metric events into the daily aggregates and deletes the events, in one transaction: each
 * event counts exactly once whatever crashes.
 * @returns how many events it folded; 0 when none is left
 */
export function rollUpDays(db: Connection, author: Author, now: Date): Promise<number> {
  return inTransaction(db, async (session) => {
    const page = await readPage(db, session, author.org);
    if (page.length === 0) return 0;
    await deletePage(db, session, author.org, page);
    const days = foldDays(page.flatMap(({ entries }) => entries));
    const sums = days.map((day) => ({ ...day, calendar: calendarOf(day.day) }));
    await addToAggregates(db, session, { period: periodNamed('daily'), sums, author, now });
    return page.length;
  });
}

async function readPage(db: Connection, session: ClientSession, org: ObjectId): Promise<MetricEvents[]> {
  const found = collectionOf(db, metricEventsResource)
    .find({ org }, { session, batchSize: 50 })
    .sort({ org: 1, _id: 1 })
    .limit(pageLimits.eventsMax);
  const page: MetricEvents[] = [];
  let entries = 0;
  for await (const event of found) {
    page.push(event);
    entries += event.entries.length;
    if (entries >= pageLimits.entriesMax) break;
  }
  return page;
}

async function deletePage(db: Connection, session: ClientSession, org: ObjectId, page: MetricEvents[]): Promise<void> {
  const _id = { $in: page.map((event) => event._id) };
  const { deletedCount } = await collectionOf(db, metricEventsResource).deleteMany({ org, _id }, { session });
  if (deletedCount !== page.length) throw new GuardFailed('Metric events were folded meanwhile');
}
