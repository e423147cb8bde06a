import { expire, type Lot, repay, reverse } from './ledger';
import { join, listenerOf, newLot, type OracleMember, purseOf, settle, startInactivity } from './member';

/** What a ledger admin says of a new lot; what is left out follows from the purse policy. */
export interface LotByHand {
  points: number;
  earnedAt: number;
  expiresAt?: number;
}

/** Adds a lot by hand. */
export function addLot(
  member: OracleMember,
  name: string,
  { points, earnedAt, expiresAt }: LotByHand,
  now: number,
): Lot {
  settle(member, now);
  const purse = purseOf(member, name);
  const lot = newLot(member, purse, { points, earnedAt });
  if (expiresAt !== undefined) Object.assign(lot, { expiresAt, byInactivity: false });
  join(member, name, lot, { kind: 'adjust', now });
  if (lot.available > 0) startInactivity(member, purse, lot, lot.escrowsAt);
  finish(member, name, now);
  return lot;
}

/** Sets the available points of a lot by hand: more counts as accrued, less as reversed. */
export function setAvailable(member: OracleMember, name: string, lot: Lot, points: number, now: number): void {
  const more = points - lot.available;
  lot.available = points;
  if (more > 0) lot.accrued += more;
  else {
    lot.reversed -= more;
    lot.removed -= more;
  }
  listenerOf(member, name).entry('adjust', { available: more });
  finish(member, name, now);
}

/** Removes the points that are left of a lot by hand. */
export function removeLot(member: OracleMember, name: string, lot: Lot, now: number): void {
  const silent = { entry: () => undefined, expired: () => undefined };
  listenerOf(member, name).entry('adjust', { available: -lot.available, escrow: -lot.escrow });
  lot.removed += lot.available + lot.escrow;
  reverse(lot, 'escrow', lot.escrow, silent);
  reverse(lot, 'available', lot.available, silent);
  finish(member, name, now);
}

/** What is past its date expires. None of this counts in metrics. */
function finish(member: OracleMember, name: string, now: number): void {
  const { lots, inactiveAt } = purseOf(member, name);
  const tell = { ...listenerOf(member, name), expired: () => undefined };
  for (const lot of lots) {
    const end = lot.byInactivity ? inactiveAt : lot.expiresAt;
    if (end !== undefined && end <= now) expire(lot, end, tell);
  }
  repay(purseOf(member, name), listenerOf(member, name), now);
}
