import type { ObjectId } from 'bson';
import type { Lot } from '../../records/points/lot';

/** How a queue sorts lots: by a time of theirs; then earned first; then id. */
export interface LotOrder {
  readonly time: (lot: Lot) => number;
  /** The points that it is about: lots without any are not in the queue. */
  readonly points: (lot: Lot) => number;
}

/** The order of burning: soonest to expire first, those that never do last. */
export const burnOrder: LotOrder = {
  time: ({ dtExpiresOn }) => dtExpiresOn?.getTime() ?? never,
  points: (lot) => lot.availablePoints,
};

/** The order of release: whose escrow ends first. */
export const releaseOrder: LotOrder = {
  time: ({ dtEscrowsOn }) => dtEscrowsOn.getTime(),
  points: (lot) => lot.escrowedPoints,
};

/** Of the lots that expire by inactivity, having no date of their own: all at one time, which the purse knows. */
export const inactivityOrder: LotOrder = {
  time: () => never,
  points: (lot) => (lot.expiresByInactivity && !lot.dtExpiresOn ? lot.availablePoints : 0),
};

/** Below 0 when `a` comes before `b`; two lots that compare as 0 are the same lot. */
export function compareLots(a: Lot, b: Lot, { time }: LotOrder): number {
  return time(a) - time(b) || a.dtEarned.getTime() - b.dtEarned.getTime() || compareIds(a._id, b._id);
}

/** The order of restoring what repaid debt: the latest first, by the moment, then by its number in the journal. */
export function repaymentOrder(a: Lot, b: Lot): number {
  const byMoment = (b.repaidAt?.getTime() ?? 0) - (a.repaidAt?.getTime() ?? 0);
  return byMoment || (b.repaidSeq ?? 0) - (a.repaidSeq ?? 0) || compareIds(b._id, a._id);
}

/** Below 0 when `a` comes before `b`, byte by byte. */
function compareIds(a: ObjectId, b: ObjectId): number {
  return a === b ? 0 : Buffer.compare(a.id, b.id);
}

/** Finite, so that two lots that never expire differ by 0 and not by NaN; later than any date. */
const never = Number.MAX_SAFE_INTEGER;
