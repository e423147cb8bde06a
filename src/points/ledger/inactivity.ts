import type { ObjectId } from 'bson';
import type { Lot } from '../../records/points/lot';
import { inactivityDate } from './expiry';
import type { Ledger } from './ledger';

/** Activities that count as being active, once they are Processed (docs/design/points.md). */
const activeTypes = ['Accrual', 'Redemption'];

/** Tells whether an activity of this type keeps its member active. */
export function isActivity(type: string): boolean {
  return activeTypes.includes(type);
}

/**
 * Counts the inactivity of all purses anew from a Processed Accrual or Redemption; no date becomes earlier.
 * @returns whether any date moved
 */
export function keepActive(ledger: Ledger, from: Date): boolean {
  const moved = ledger.purses().map(({ policyId }) => countFrom(ledger, policyId, from));
  return moved.includes(true);
}

/**
 * Points that join a purse which has no date yet, or whose date was before them, start a new one: nobody could have been
 * active for points that were not there. A date that is still ahead holds for points dated after it too: they are there
 * now, and only an Accrual or a Redemption moves it.
 * @param at when they joined the balance
 */
export function joinInactivity(ledger: Ledger, lot: Lot, at: Date): void {
  if (!lot.expiresByInactivity) return;
  const inactiveOn = ledger.inactiveOn(lot.purse);
  const isPast = inactiveOn !== undefined && inactiveOn <= at && inactiveOn <= ledger.now;
  if (!inactiveOn || isPast) countFrom(ledger, lot.purse, at);
}

function countFrom(ledger: Ledger, purse: ObjectId, from: Date): boolean {
  const { inactivity } = ledger.purse(purse);
  return !!inactivity && ledger.moveInactiveOn(purse, inactivityDate(from, inactivity, ledger.timezone));
}
