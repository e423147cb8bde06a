import { calendarEnd, later, type Snap, snapped, type Unit } from './calendar';

/** When points of a purse policy join the balance. */
export type Escrow = { type: 'none' } | { type: 'duration'; value: number; unit: Unit };

/** When points of a purse policy expire. */
export type Expiry =
  | { type: 'none' }
  | { type: 'rolling' | 'inactivity'; value: number; unit: Unit; snap?: Snap }
  | { type: 'calendar'; month: number; day: number; value?: number };

/** What happens to burned points of an award that is cancelled. */
export type Clawback = 'full' | 'toZero' | 'pendingOnly';

/** A purse policy as it is posted. */
export interface PursePolicy {
  name: string;
  primary: boolean;
  overdraftLimit: number;
  clawback: Clawback;
  escrow: Escrow;
  expiry: Expiry;
}

/** When points that were earned at a moment join the balance. */
export function escrowEnd({ escrow }: PursePolicy, earnedAt: number, zone: string): number {
  return escrow.type === 'none' ? earnedAt : later(earnedAt, escrow.value, escrow.unit, zone);
}

/** When points that join the balance at a moment expire by a date of their own. */
export function expiryOf({ expiry }: PursePolicy, joinedAt: number, zone: string): number | undefined {
  if (expiry.type === 'rolling') return ended(expiry, joinedAt, zone);
  if (expiry.type === 'calendar') return calendarEnd(joinedAt, expiry.month, expiry.day, expiry.value ?? 0, zone);
  return undefined;
}

/** Until when points under inactivity live after something happened; undefined for other terms. */
export function inactiveAfter({ expiry }: PursePolicy, at: number, zone: string): number | undefined {
  return expiry.type === 'inactivity' ? ended(expiry, at, zone) : undefined;
}

function ended({ value, unit, snap = 'none' }: { value: number; unit: Unit; snap?: Snap }, at: number, zone: string) {
  return snapped(later(at, value, unit, zone), snap, zone);
}
