import { type Static, Type } from '@sinclair/typebox';
import { defineResource } from '../db/resource';
import { instant, objectId, record, signed, text } from '../schema/atoms';
import { countedPaths, recordsMade } from './recordCount';

const metricEntry = record({
  member: objectId('Member'),
  metric: text(150),
  value: signed(),
  day: instant({ description: 'Midnight UTC of the day it belongs to' }),
  expirationDate: Type.Optional(instant({ description: 'When the lifetime aggregate ends' })),
});

/** One change of a metric of a member, as a commit records it for the roll-up. */
export type MetricEntry = Static<typeof metricEntry>;

/** Holds the records made by commits that wait, so that their sum is read from keys alone. */
export const recordsMadeIndex: Record<string, 1> = Object.fromEntries(
  ['org', ...countedPaths.map((path) => `made.${path}`)].map((key) => [key, 1]),
);

/**
 * What was committed and is not yet rolled up: one document a commit, deleted in the transaction that folds it into
 * the daily aggregates and the counts of records. Not reachable over HTTP.
 */
export const metricEventsResource = defineResource({
  name: 'MetricEvents',
  path: 'metricevents',
  isInternal: true,
  fields: { entries: Type.Array(metricEntry), made: Type.Optional(recordsMade) },
  indexes: [{ keys: { org: 1, 'entries.member': 1 } }, { keys: recordsMadeIndex }],
});
