import { strict as assert } from 'node:assert';
import type { Lot } from '#records/points/lot';
import { sum } from '../pointsOverflow';

/** How the parts of a lot change. After the change, the parts must still add up to `accruedPoints`. */
export type PartChange = Partial<Record<(typeof counted)[number] | (typeof parts)[number], number>>;

/** Numbers beside the parts: the total, and the burned points that repaid debt or whose award is reversed already. */
const counted = ['accruedPoints', 'repaidPoints', 'chargedPoints', 'forgivenPoints'] as const;

const parts = ['escrowedPoints', 'availablePoints', 'burnedPoints', 'expiredPoints', 'reversedPoints'] as const;

/**
 * A lot after a change of its parts, with its new flags and state. The escrow of a lot ends when points are added to
 * its available points.
 */
export function withParts(lot: Lot, change: PartChange): Lot {
  const next = { ...lot, hasEscrowed: lot.hasEscrowed || (change.availablePoints ?? 0) > 0 };
  for (const part of [...counted, ...parts]) {
    const added = change[part];
    if (added !== undefined) next[part] = sum(next[part] ?? 0, added);
  }
  assert(partsAddUp(next), `the parts of lot ${lot._id} add up`);
  return Object.assign(next, lotFlags(next));
}

/** The state and the flags of a lot, computed from its parts. */
export function lotFlags(lot: Lot): Pick<Lot, 'state' | 'hasExpired' | 'hasBurned'> {
  const isSpent = lot.escrowedPoints === 0 && lot.availablePoints === 0;
  return { state: lotState(lot), hasExpired: lot.expiredPoints > 0, hasBurned: lot.burnedPoints > 0 && isSpent };
}

/** True when every part is a whole number of 0 or more and the parts add up to the points accrued. */
export function partsAddUp(lot: Lot): boolean {
  const isWhole = parts.every((part) => Number.isSafeInteger(lot[part]) && lot[part] >= 0);
  const total = parts.reduce((points, part) => points + lot[part], 0);
  return isWhole && total === lot.accruedPoints && isWithin(lot.repaidPoints, lot) && isWithin(owedPoints(lot), lot);
}

/**
 * Burned points of a lot whose award a cancellation already charged or forgave. When restored, they are reversed at
 * once.
 */
export function owedPoints({ chargedPoints = 0, forgivenPoints = 0 }: Lot): number {
  return chargedPoints + forgivenPoints;
}

/** When the available points of a lot expire: at its own date, or at its purse's date if it expires by inactivity. */
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

function lotState(lot: Lot): Lot['state'] {
  if (lot.escrowedPoints > 0) return 'escrow';
  if (lot.availablePoints > 0) return 'available';
  if (lot.burnedPoints > 0) return 'burned';
  return lot.expiredPoints > 0 ? 'expired' : 'reversed';
}
