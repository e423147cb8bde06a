import { type Lot, repay, reverse } from './ledger';
import { expirePast, join, listenerOf, newLot, type OracleMember, purseOf, settle, startInactivity } from './member';

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
  else lot.reversed -= more;
  listenerOf(member, name).entry('adjust', { available: more });
  finish(member, name, now);
}

/** Removes the points that are left of a lot by hand. */
export function removeLot(member: OracleMember, name: string, lot: Lot, now: number): void {
  const silent = { entry: () => undefined, expired: () => undefined };
  listenerOf(member, name).entry('adjust', { available: -lot.available, escrow: -lot.escrow });
  reverse(lot, 'escrow', lot.escrow, silent);
  reverse(lot, 'available', lot.available, silent);
  finish(member, name, now);
}

function finish(member: OracleMember, name: string, now: number): void {
  expirePast(member, name, now);
  repay(purseOf(member, name), listenerOf(member, name), now);
}
