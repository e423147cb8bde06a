import type { PursePolicy } from './terms';

/** The parts of a lot. They add up to what was accrued. */
export const parts = ['escrow', 'available', 'burned', 'expired', 'reversed'] as const;
type Part = (typeof parts)[number];

/** One award, or points that came from elsewhere, as points.md calls an accrual item. */
export interface Lot extends Record<Part, number> {
  /** The id that the service gave it: a name, which orders lots that are alike. */
  id?: string | undefined;
  activity?: string | undefined;
  accrued: number;
  earnedAt: number;
  escrowsAt: number;
  /** When its points joined the balance otherwise than by the activity that moved the date of inactivity. */
  joinedAt: number | undefined;
  expiresAt: number | undefined;
  byInactivity: boolean;
  /** Points of its cancelled award that became debt or were taken from other lots. */
  charged: number;
  /** Points of its cancelled award that nobody owes, although they were spent. */
  forgiven: number;
  /** Points of it that were removed by hand. */
  removed: number;
  /** Points of it that expired or were removed by hand, and that a return of its award has counted. */
  returnedGone: number;
  /** Until when the points that joined kept the purse alive, when they began its period. */
  startedUntil?: number | undefined;
  /** Points of it that repaid a debt and still do. */
  repaid: number;
}

/** What of a lot was burned by one redemption or transfer. */
export interface Burn {
  lot: Lot;
  points: number;
}

/** What of a lot repaid debt, and when it last did. */
export interface Repayment extends Burn {
  at: number;
}

/** A purse of a member. */
export interface Purse {
  policy: PursePolicy;
  debt: number;
  inactiveAt: number | undefined;
  lots: Lot[];
  /** What repaid debt and when, earliest first. */
  repayments: Repayment[];
}

/** Sums of the journal of a purse by kind: the signed changes of available, escrow and debt. */
export type JournalSums = Map<string, { available: number; escrow: number; debt: number }>;

/** What a change of a purse tells: each entry of the journal, and points that expired on a date. */
export interface Listener {
  entry(kind: string, change: { available?: number; escrow?: number; debt?: number }): void;
  expired(points: number, at: number): void;
}

export function emptyPurse(policy: PursePolicy): Purse {
  return { policy, debt: 0, inactiveAt: undefined, lots: [], repayments: [] };
}

/** Points of a purse that can be burned, without the debt. */
export function available({ lots }: Purse): number {
  return lots.reduce((sum, lot) => sum + lot.available, 0);
}

/** Lots with available points: soonest expiry first, those without at the end; then by the date; then by id. */
export function inBurnOrder(lots: readonly Lot[]): Lot[] {
  const never = Number.POSITIVE_INFINITY;
  return lots
    .filter((lot) => lot.available > 0)
    .sort(
      (a, b) =>
        compare(a.expiresAt ?? never, b.expiresAt ?? never) ||
        compare(a.earnedAt, b.earnedAt) ||
        ((a.id ?? '') < (b.id ?? '') ? -1 : 1),
    );
}

function compare(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

/** Takes points from lots in burn order. @returns what was taken; less than asked when there is no more */
export function take(purse: Purse, points: number): Burn[] {
  const burns: Burn[] = [];
  let left = points;
  for (const lot of inBurnOrder(purse.lots)) {
    const taken = Math.min(left, lot.available);
    if (taken <= 0) continue;
    lot.available -= taken;
    lot.burned += taken;
    left -= taken;
    burns.push({ lot, points: taken });
  }
  return burns;
}

/** The points of burns. */
export function sumOf(burns: readonly Burn[]): number {
  return burns.reduce((sum, { points }) => sum + points, 0);
}

/** Repays debt from available points. */
export function repay(purse: Purse, tell: Listener, at: number): void {
  for (const burn of take(purse, purse.debt)) {
    purse.debt -= burn.points;
    burn.lot.repaid += burn.points;
    noteRepayment(purse, burn, at);
    tell.entry('repay', { available: -burn.points, debt: -burn.points });
  }
}

/** A lot that repays again counts with all that it repaid as the last one. */
function noteRepayment(purse: Purse, { lot, points }: Burn, at: number): void {
  const before = purse.repayments.find((each) => each.lot === lot);
  purse.repayments = purse.repayments.filter((each) => each !== before);
  purse.repayments.push({ lot, points: points + (before?.points ?? 0), at });
}

/** Expires what is available in a lot. */
export function expire(lot: Lot, at: number, tell: Listener): void {
  if (lot.available === 0) return;
  tell.entry('expire', { available: -lot.available });
  tell.expired(lot.available, at);
  lot.expired += lot.available;
  lot.available = 0;
}

/** Puts burned points of a lot back. What its cancelled award owes is settled with them first. */
export function restore(purse: Purse, { lot, points }: Burn, tell: Listener): void {
  lot.burned -= points;
  lot.available += points;
  tell.entry('restore', { available: points });
  const charged = Math.min(points, lot.charged);
  const forgiven = Math.min(points - charged, lot.forgiven);
  lot.charged -= charged;
  lot.forgiven -= forgiven;
  reverse(lot, 'available', charged + forgiven, tell);
  undoDebt(purse, charged, tell);
}

/** Takes points out of a lot for good. */
export function reverse(lot: Lot, part: 'available' | 'escrow', points: number, tell: Listener): void {
  if (points === 0) return;
  lot[part] -= points;
  lot.reversed += points;
  tell.entry('reverse', { [part]: -points });
}

/**
 * Undoes debt that an activity, or the charge of a cancelled award, had made: what is still owed first, then what repaid
 * it, the lot that repaid last first. An award that repaid debt and was cancelled, so that it was charged for that, is
 * reversed by as much before.
 */
export function undoDebt(purse: Purse, points: number, tell: Listener): void {
  if (points === 0) return;
  endCircles(purse);
  const lowered = Math.min(points, purse.debt);
  purse.debt -= lowered;
  if (lowered > 0) tell.entry('restore', { debt: -lowered });
  let left = points - lowered;
  while (left > 0) {
    const last = purse.repayments.at(-1);
    if (!last) throw new RangeError('more debt is undone than there was');
    const refilled = Math.min(left, last.points);
    left -= refilled;
    lowerRepayment(purse, last, refilled);
    restore(purse, { lot: last.lot, points: refilled }, tell);
  }
}

function lowerRepayment(purse: Purse, repayment: Repayment, points: number): void {
  repayment.points -= points;
  repayment.lot.repaid -= points;
  if (repayment.points === 0) purse.repayments.splice(purse.repayments.indexOf(repayment), 1);
}

function endCircles(purse: Purse): void {
  for (const repayment of [...purse.repayments].reverse()) {
    const { lot } = repayment;
    const both = Math.min(repayment.points, lot.charged);
    if (both === 0) continue;
    lot.charged -= both;
    lot.burned -= both;
    lot.reversed += both;
    lowerRepayment(purse, repayment, both);
  }
}

/** Takes back what is there of points of a lot: first those in escrow, then available ones. @returns what is not there */
export function takeThere(lot: Lot, points: number, tell: Listener, from: readonly ('escrow' | 'available')[]): number {
  let left = points;
  for (const part of from) {
    const taken = Math.min(left, lot[part]);
    reverse(lot, part, taken, tell);
    left -= taken;
  }
  return left;
}

/**
 * Decides about points that are to be taken back and are not there. Those that expired or were removed by hand are gone;
 * for those that are spent the clawback decides.
 * @returns how many became debt or can be taken from other lots
 */
export function charge(purse: Purse, lot: Lot, points: number, tell: Listener): number {
  const { clawback } = purse.policy;
  if (clawback === 'pendingOnly') return 0;
  const gone = Math.min(points, lot.expired + lot.removed - lot.returnedGone);
  lot.returnedGone += gone;
  const spent = Math.min(points - gone, lot.burned - lot.charged - lot.forgiven);
  const charged = clawback === 'full' ? spent : Math.min(spent, Math.max(0, available(purse) - purse.debt));
  lot.charged += charged;
  lot.forgiven += spent - charged;
  purse.debt += charged;
  if (charged > 0) tell.entry('reverse', { debt: charged });
  return charged;
}
