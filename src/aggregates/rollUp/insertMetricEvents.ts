import type { ClientSession, Connection } from 'mongoose';
import { type Author, newStamps } from '../../db/records';
import { insertAll } from '../../db/writeCommands';
import { type MetricEntry, memberDaysOf, metricEventsResource } from '../../records/aggregates/metricEvents';
import { countedPaths, type RecordsMade } from '../../records/aggregates/recordCount';

/** The changes of a commit that the roll-up adds. */
export interface Committed {
  entries: readonly MetricEntry[];
  made: RecordsMade;
}

/** Stores the metric event of a commit in its transaction. A commit without changes stores none. */
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
