import type { Lot } from '../../records/points/lot';

/** When the available points of a lot expire: at its own date, else at its purse's when inactivity decides. */
export function lotExpiry({ dtExpiresOn, expiresByInactivity }: Lot, inactiveOn: Date | undefined): Date | undefined {
  return dtExpiresOn ?? (expiresByInactivity ? inactiveOn : undefined);
}

/** Tells whether a lot's available points are past their date. */
export function isPastExpiry(lot: Lot, inactiveOn: Date | undefined, now: Date): boolean {
  const date = lotExpiry(lot, inactiveOn);
  return lot.availablePoints > 0 && date !== undefined && date <= now;
}
