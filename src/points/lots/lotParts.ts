import { strict as assert } from 'node:assert';
import type { Lot } from '../../records/points/lot';
import { sum } from '../pointsOverflow';

/** How the parts of a lot change; together they keep accruedPoints. */
export type PartChange = Partial<Record<(typeof counted)[number] | (typeof parts)[number], number>>;

/** What is counted of a lot beside its parts: all of it, and of the burned ones who is to have them when they come back. */
const counted = ['accruedPoints', 'repaidPoints', 'chargedPoints', 'forgivenPoints'] as const;

const parts = ['escrowedPoints', 'availablePoints', 'burnedPoints', 'expiredPoints', 'reversedPoints'] as const;

/**
 * A lot after a change of its parts, with the flags and the state that follow from them. Points that join the available
 * ones end its escrow.
 */
export function withParts(lot: Lot, change: PartChange): Lot {
  const next = { ...lot, hasEscrowed: lot.hasEscrowed || (change.availablePoints ?? 0) > 0 };
  for (const part of [...counted, ...parts]) {
    const added = change[part];
    if (added !== undefined) next[part] = sum(next[part] ?? 0, added);
  }
  assert(partsAddUp(next), `the parts of lot ${lot._id} add up`);
  return Object.assign(next, flagsOf(next));
}

/** State and flags as they follow from the parts of a lot. */
export function flagsOf(lot: Lot): Pick<Lot, 'state' | 'hasExpired' | 'hasBurned'> {
  const isSpent = lot.escrowedPoints === 0 && lot.availablePoints === 0;
  return { state: stateOf(lot), hasExpired: lot.expiredPoints > 0, hasBurned: lot.burnedPoints > 0 && isSpent };
}

/** True when every part is a whole number of 0 or more and together they are the points accrued. */
export function partsAddUp(lot: Lot): boolean {
  const isWhole = parts.every((part) => Number.isSafeInteger(lot[part]) && lot[part] >= 0);
  const total = parts.reduce((points, part) => points + lot[part], 0);
  return isWhole && total === lot.accruedPoints && isWithin(lot.repaidPoints, lot) && isWithin(owedPoints(lot), lot);
}

/** Of the burned points of a lot, those that are nobody's when they come back: taking back its award stood in for them. */
export function owedPoints({ chargedPoints = 0, forgivenPoints = 0 }: Lot): number {
  return chargedPoints + forgivenPoints;
}

/** When the available points of a lot expire: at its own date, else at its purse's when inactivity decides. */
export function lotExpiry({ dtExpiresOn, expiresByInactivity }: Lot, inactiveOn: Date | undefined): Date | undefined {
  return dtExpiresOn ?? (expiresByInactivity ? inactiveOn : undefined);
}

/** Tells whether a lot's available points are past their date. */
export function isPastExpiry(lot: Lot, inactiveOn: Date | undefined, now: Date): boolean {
  const date = lotExpiry(lot, inactiveOn);
  return lot.availablePoints > 0 && date !== undefined && date <= now;
}

function isWithin(points: number, { burnedPoints }: Lot): boolean {
  return points >= 0 && points <= burnedPoints;
}

function stateOf(lot: Lot): Lot['state'] {
  if (lot.escrowedPoints > 0) return 'escrow';
  if (lot.availablePoints > 0) return 'available';
  if (lot.burnedPoints > 0) return 'burned';
  return lot.expiredPoints > 0 ? 'expired' : 'reversed';
}
