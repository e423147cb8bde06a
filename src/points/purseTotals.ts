import type { Lot } from './lot';
import { exact } from './pointsOverflow';
import type { Purse } from './purse';

/** What a change adds to a purse; negative takes away. */
export interface PurseDelta {
  available: number;
  escrow: number;
  debt: number;
  accrued: number;
  burned: number;
  expired: number;
}

/** The points of a purse that are released or expire at the earliest date. */
export type NextDue = NonNullable<Purse['nextExpiry']>;

/** When points of a purse are due next; each absent when none are. */
export interface PurseDue {
  nextEscrow: NextDue | undefined;
  nextExpiry: NextDue | undefined;
}

/** Points that lots hold available: what the purse can spend before its debt is taken off. */
export function availableOf({ availBalance, debt }: Purse): number {
  return availBalance + debt;
}

/**
 * The purse after a change. Its sums are those of its lots: `burnedPoints` counts what lots lost by redemptions and by
 * repaying debt, less what was restored; points redeemed on credit count once they are repaid.
 * @throws PointsOverflow when a sum leaves 2^53 - 1
 */
export function changePurse(purse: Purse, delta: PurseDelta, { nextEscrow, nextExpiry }: PurseDue, now: Date): Purse {
  const { _id, name, program, policyId, primary, overdraftLimit } = purse;
  const available = exact(availableOf(purse) + delta.available, `Purse ${name}`);
  const debt = exact(purse.debt + delta.debt, `Debt of purse ${name}`);
  const escrowsIn = purse.escrowsIn + delta.escrow;
  return {
    _id,
    name,
    program,
    policyId,
    primary,
    balance: exact(available + escrowsIn - debt, `Purse ${name}`),
    availBalance: available - debt,
    escrowsIn: exact(escrowsIn, `Purse ${name}`),
    expiredPoints: purse.expiredPoints + delta.expired,
    expiresIn: nextExpiry?.points ?? 0,
    ...(nextEscrow ? { nextEscrow } : {}),
    ...(nextExpiry ? { nextExpiry } : {}),
    overdraftLimit,
    debt,
    accruedPoints: exact(purse.accruedPoints + delta.accrued, `Points accrued in purse ${name}`),
    burnedPoints: purse.burnedPoints + delta.burned,
    updatedAt: now,
  };
}

/** What the step from one value of a lot to the next adds to its purse; `before` is undefined when it is new. */
export function deltaOf(before: Lot | undefined, after: Lot, debt: number): PurseDelta {
  return {
    available: after.availablePoints - (before?.availablePoints ?? 0),
    escrow: after.escrowedPoints - (before?.escrowedPoints ?? 0),
    debt,
    accrued: after.accruedPoints - (before?.accruedPoints ?? 0),
    burned: after.burnedPoints - (before?.burnedPoints ?? 0),
    expired: after.expiredPoints - (before?.expiredPoints ?? 0),
  };
}

/** The earlier of two; of the same date, their points together. */
export function mergeDue(a: NextDue | undefined, b: NextDue | undefined): NextDue | undefined {
  if (!a || !b) return a ?? b;
  const order = a.date.getTime() - b.date.getTime();
  if (order === 0) return { date: a.date, points: a.points + b.points };
  return order < 0 ? a : b;
}
