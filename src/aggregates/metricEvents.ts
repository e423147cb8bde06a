import { type Static, Type } from '@sinclair/typebox';
import { defineResource } from '../db/resource';
import { instant, objectId, record, signed, text } from '../schema/atoms';

const metricEntry = record({
  member: objectId('Member'),
  metric: text(150),
  value: signed(),
  day: instant({ description: 'Midnight UTC of the day it belongs to' }),
  expirationDate: Type.Optional(instant({ description: 'When the lifetime aggregate ends' })),
});

/** One change of a metric of a member, as a commit records it for the roll-up. */
export type MetricEntry = Static<typeof metricEntry>;

/**
 * What was committed and is not yet rolled up: one document a commit, deleted in the transaction that folds it into
 * the daily aggregates. Not reachable over HTTP.
 */
export const metricEventsResource = defineResource({
  name: 'MetricEvents',
  path: 'metricevents',
  isInternal: true,
  fields: { entries: Type.Array(metricEntry) },
  indexes: [{ keys: { org: 1, 'entries.member': 1 } }],
});
