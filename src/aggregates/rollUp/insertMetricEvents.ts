import type { ClientSession, Connection } from 'mongoose';
import { type Author, newStamps } from '../../db/records';
import { insertAll } from '../../db/writeCommands';
import { type MetricEntry, memberDaysOf, metricEventsResource } from '../../records/aggregates/metricEvents';
import { countedPaths, type RecordsMade } from '../../records/aggregates/recordCount';

/** What a commit tells the roll-up. */
export interface Committed {
  entries: readonly MetricEntry[];
  made: RecordsMade;
}

/** Records inside a commit's transaction what the roll-up is to add; nothing when there is nothing. */
export async function insertMetricEvents(
  db: Connection,
  session: ClientSession,
  author: Author,
  now: Date,
  { entries, made }: Committed,
): Promise<void> {
  if (entries.length === 0 && countedPaths.every((path) => made[path] === 0)) return;
  const event = { ...newStamps(author, now), entries: memberDaysOf(entries), made };
  await insertAll(db, session, metricEventsResource.path, [event]);
}
