import type { ObjectId } from 'bson';
import type { Lot } from '../../records/points/lot';
import type { LotOrder } from './lotTree';

/** The order of burning: soonest to expire first, those that never do last; then earned first; then id. */
export const burnOrder: LotOrder = {
  compare: (a, b) => expiryTime(a) - expiryTime(b) || byEarning(a, b),
  points: (lot) => lot.availablePoints,
};

/** The order of release: whose escrow ends first; then earned first; then id. */
export const releaseOrder: LotOrder = {
  compare: (a, b) => a.dtEscrowsOn.getTime() - b.dtEscrowsOn.getTime() || byEarning(a, b),
  points: (lot) => lot.escrowedPoints,
};

/** Of the lots that expire by inactivity, having no date of their own: earned first; then id. */
export const inactivityOrder: LotOrder = {
  compare: byEarning,
  points: (lot) => (lot.expiresByInactivity && !lot.dtExpiresOn ? lot.availablePoints : 0),
};

/** By id, summing nothing: to find lots again. */
export const idOrder: LotOrder = { compare: (a, b) => compareIds(a._id, b._id), points: () => 0 };

/** The order of restoring what repaid debt: the latest first, by the moment, then by its number in the journal. */
export function repaymentOrder(a: Lot, b: Lot): number {
  const byMoment = (b.repaidAt?.getTime() ?? 0) - (a.repaidAt?.getTime() ?? 0);
  return byMoment || (b.repaidSeq ?? 0) - (a.repaidSeq ?? 0) || compareIds(b._id, a._id);
}

/** Below 0 when `a` comes before `b`, byte by byte. */
export function compareIds(a: ObjectId, b: ObjectId): number {
  return a === b ? 0 : Buffer.compare(a.id, b.id);
}

/** Finite, so that two lots that never expire differ by 0 and not by NaN; later than any date. */
const never = Number.MAX_SAFE_INTEGER;

function expiryTime({ dtExpiresOn }: Lot): number {
  return dtExpiresOn?.getTime() ?? never;
}

function byEarning(a: Lot, b: Lot): number {
  return a.dtEarned.getTime() - b.dtEarned.getTime() || compareIds(a._id, b._id);
}
