import type { ObjectId } from 'bson';
import type { Lot } from './lot';
import type { LotBook } from './lotBook';
import type { Purse } from './purse';

type Dues = Pick<Purse, 'nextEscrow' | 'nextExpiry' | 'expiresIn'>;

/** When points of a purse are released and expire next, and how many: all that share the earliest date. */
export function duesOf(lots: LotBook, purse: ObjectId): Dues {
  const escrowed = lots.matching(({ escrowedPoints }) => escrowedPoints > 0, purse);
  const date = Math.min(...escrowed.map(({ dtEscrowsOn }) => dtEscrowsOn.getTime()));
  const released = escrowed.filter(({ dtEscrowsOn }) => dtEscrowsOn.getTime() === date);
  const nextExpiry = firstExpiry(lots.available(purse));
  return {
    ...(released.length > 0 ? { nextEscrow: { date: new Date(date), points: total(released, 'escrowedPoints') } } : {}),
    ...(nextExpiry ? { nextExpiry } : {}),
    expiresIn: nextExpiry?.points ?? 0,
  };
}

/** Burn order puts the soonest expiry first, so the first lots tell. */
function firstExpiry(inBurnOrder: Iterable<Lot>): Purse['nextExpiry'] {
  let next: { date: Date; points: number } | undefined;
  for (const { dtExpiresOn, availablePoints } of inBurnOrder) {
    if (!dtExpiresOn || (next && dtExpiresOn.getTime() !== next.date.getTime())) break;
    next = { date: dtExpiresOn, points: (next?.points ?? 0) + availablePoints };
  }
  return next;
}

function total(lots: readonly Lot[], part: 'escrowedPoints'): number {
  return lots.reduce((points, lot) => points + lot[part], 0);
}

/** The same for a purse whose lots are not loaded, after one new lot: it can only be sooner, or join the soonest. */
export function duesWith(purse: Purse, lot: Lot): Dues {
  const nextEscrow = lot.escrowedPoints > 0 ? joined(purse.nextEscrow, lot.dtEscrowsOn, lot.escrowedPoints) : purse.nextEscrow;
  const expires = lot.dtExpiresOn && lot.availablePoints > 0 ? lot.dtExpiresOn : undefined;
  const nextExpiry = expires ? joined(purse.nextExpiry, expires, lot.availablePoints) : purse.nextExpiry;
  return {
    ...(nextEscrow ? { nextEscrow } : {}),
    ...(nextExpiry ? { nextExpiry } : {}),
    expiresIn: nextExpiry?.points ?? 0,
  };
}

function joined(next: { date: Date; points: number } | undefined, date: Date, points: number) {
  if (!next || date < next.date) return { date, points };
  return date.getTime() === next.date.getTime() ? { date, points: next.points + points } : next;
}

/** The earliest date at which something of these purses is due. */
export function earliestDue(purses: readonly Purse[]): Date | undefined {
  const dates = purses.flatMap(({ nextEscrow, nextExpiry }) => [nextEscrow?.date, nextExpiry?.date]);
  return dates.filter((date) => date !== undefined).sort((a, b) => a.getTime() - b.getTime())[0];
}
