import type { Lot } from './lot';

/** Burn order: soonest expiry first, none last, then earliest earned, then id (DESIGN 9). */
export function compareBurn(a: Lot, b: Lot): number {
  const expiry = time(a.dtExpiresOn) - time(b.dtExpiresOn);
  if (expiry !== 0 && !Number.isNaN(expiry)) return expiry;
  const earned = a.dtEarned.getTime() - b.dtEarned.getTime();
  if (earned !== 0) return earned;
  return a._id.toHexString() < b._id.toHexString() ? -1 : 1;
}

function time(date: Date | undefined): number {
  return date?.getTime() ?? Number.POSITIVE_INFINITY;
}
