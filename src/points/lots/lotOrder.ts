import type { ObjectId } from 'bson';
import type { Lot } from '../../records/points/lot';

/** How a queue sorts lots: by `time`, then by the date on which they were earned, then by id. */
export interface LotOrder {
  readonly time: (lot: Lot) => number;
  /** The points of a lot that count in this queue. A lot with 0 of them is not in the queue. */
  readonly points: (lot: Lot) => number;
}

/** The order of burning: the lot that expires soonest is first, lots that never expire are last. */
export const burnOrder: LotOrder = {
  time: ({ dtExpiresOn }) => dtExpiresOn?.getTime() ?? never,
  points: (lot) => lot.availablePoints,
};

/** The order of release: the lot whose escrow ends soonest is first. */
export const releaseOrder: LotOrder = {
  time: ({ dtEscrowsOn }) => dtEscrowsOn.getTime(),
  points: (lot) => lot.escrowedPoints,
};

/**
 * For lots that expire by inactivity. They have no date of their own: all expire at the `inactiveOn` of their purse.
 */
export const inactivityOrder: LotOrder = {
  time: () => never,
  points: (lot) => (lot.expiresByInactivity && !lot.dtExpiresOn ? lot.availablePoints : 0),
};

/** Below 0 when `a` comes before `b`; two lots that compare as 0 are the same lot. */
export function compareLots(a: Lot, b: Lot, { time }: LotOrder): number {
  return time(a) - time(b) || a.dtEarned.getTime() - b.dtEarned.getTime() || compareIds(a._id, b._id);
}

/**
 * The order in which points that repaid debt are restored: the latest repayment first, by time, then by journal `seq`.
 */
export function repaymentOrder(a: Lot, b: Lot): number {
  const byMoment = (b.repaidAt?.getTime() ?? 0) - (a.repaidAt?.getTime() ?? 0);
  return byMoment || (b.repaidSeq ?? 0) - (a.repaidSeq ?? 0) || compareIds(b._id, a._id);
}

/** Below 0 when `a` comes before `b`, byte by byte. */
function compareIds(a: ObjectId, b: ObjectId): number {
  return a === b ? 0 : Buffer.compare(a.id, b.id);
}

/** Later than any date. It is finite, so that two lots that never expire differ by 0 and not by NaN. */
const never = Number.MAX_SAFE_INTEGER;
