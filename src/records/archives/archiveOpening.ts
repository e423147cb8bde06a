import { Type } from '@sinclair/typebox';
import { count, decimal, instant, list, objectId, record, text } from '#base/schema/atoms';
import { type DocOf, defineResource } from '#base/schema/resource';

/**
 * What the archived activities of a member add up to: the sums with which what is left begins. `reconcile` adds them to
 * what the histories say. Not reachable over HTTP.
 */
export const archiveOpeningResource = defineResource({
  name: 'ArchiveOpening',
  path: 'archiveopenings',
  isInternal: true,
  fields: {
    member: objectId('Member'),
    activities: count(),
    /** Accruals among them that were not cancelled. */
    purchases: count(),
    /** What they counted and no cancellation has returned, by metric. */
    metrics: list(record({ metric: text(150), value: decimal() }), 10_000),
    /** The latest date of an archived activity that counted a metric. */
    countedUpTo: Type.Optional(instant()),
    /** True when a cancellation of an earlier version is among them, which did not store what its rules counted. */
    isUncounted: Type.Optional(Type.Boolean()),
  },
  indexes: [{ keys: { org: 1, member: 1 }, unique: true }],
});

export type ArchiveOpening = DocOf<typeof archiveOpeningResource>;
