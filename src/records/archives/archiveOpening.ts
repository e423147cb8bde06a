import { type Static, Type } from '@sinclair/typebox';
import { count, decimal, instant, list, objectId, record, signed, text } from '#base/schema/atoms';
import { type DocOf, defineResource } from '#base/schema/resource';

/**
 * What the archived journal entries and lots of a member add up to, in one purse. `seq` to `keptAvail` are of the entries
 * of the member's own journal, the others of lots that were the member's.
 */
export const archivedPurseShape = record({
  purse: objectId('PursePolicy'),
  /** The last archived entry; 0: none. The journal has an `opening` entry with this number. */
  seq: count(),
  /** The latest date of an archived entry. */
  at: Type.Optional(instant()),
  /** How many entries were archived. */
  entries: count(),
  available: signed(),
  escrow: signed(),
  debt: signed(),
  /** Sums of `balanceAfter` and `availAfter` of the entries before `seq` that stayed, because nothing else checks them. */
  keptBalance: signed(),
  keptAvail: signed(),
  accrued: count(),
  burned: count(),
  expired: count(),
  charged: count(),
});

/** See {@link archivedPurseShape}. */
export type ArchivedPurse = Static<typeof archivedPurseShape>;

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
    /** True when a cancellation of an earlier version is among them, which did not store what its own rules counted. */
    isUncounted: Type.Optional(Type.Boolean()),
    /** Archived lots of the member, and archived entries of its journal without a lot. Absent: none. */
    units: Type.Optional(count()),
    purses: Type.Optional(list(archivedPurseShape, 1000)),
  },
  indexes: [{ keys: { org: 1, member: 1 }, unique: true }],
});

export type ArchiveOpening = DocOf<typeof archiveOpeningResource>;
