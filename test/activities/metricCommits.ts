import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { metricEntries, metricEventsResource } from '#records/aggregates/metricEvents';

/** A change of a metric and its day, `YYYY-MM-DD`. */
export type MetricChange = [metric: string, value: number, day: string];

/**
 * Reads the metric changes of a member that each commit stored for the roll-up, in order. The roll-up must not have
 * run.
 */
export async function metricCommits(db: Connection, member: ObjectId): Promise<MetricChange[][]> {
  const found = collectionOf(db, metricEventsResource).find({ 'entries.member': member }).sort({ _id: 1 });
  return (await found.toArray()).map(({ entries }) =>
    metricEntries(entries)
      .filter((entry) => entry.member.equals(member))
      .map(({ metric, value, day }): MetricChange => [metric, value, day.toISOString().slice(0, 10)]),
  );
}
