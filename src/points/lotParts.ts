import { strict as assert } from 'node:assert';
import type { Lot } from './lot';

/** What of a lot may change after it was awarded. */
export type LotChange = Partial<
  Pick<
    Lot,
    | 'accruedPoints'
    | 'escrowedPoints'
    | 'availablePoints'
    | 'burnedPoints'
    | 'expiredPoints'
    | 'reversedPoints'
    | 'repaidPoints'
    | 'repaidSeq'
    | 'claimedPoints'
    | 'hasEscrowed'
  >
>;

/** The lot with these parts changed, its state and flags following from them. */
export function withParts(lot: Lot, change: LotChange): Lot {
  const next = { ...lot, ...change };
  assert(partsAddUp(next), `The parts of lot ${lot._id} do not add up`);
  return { ...next, ...flagsOf(next) };
}

/** State and flags as they follow from the parts of a lot (DESIGN 9). */
export function flagsOf(
  lot: Omit<Lot, 'state' | 'hasExpired' | 'hasBurned'>,
): Pick<Lot, 'state' | 'hasExpired' | 'hasBurned'> {
  const isSpent = lot.escrowedPoints === 0 && lot.availablePoints === 0;
  return { state: stateOf(lot), hasExpired: lot.expiredPoints > 0, hasBurned: lot.burnedPoints > 0 && isSpent };
}

/** True when every part is a whole number of 0 or more and together they are the points accrued. */
export function partsAddUp(lot: Pick<Lot, 'accruedPoints' | (typeof parts)[number] | 'repaidPoints'>): boolean {
  const isWhole = parts.every((part) => Number.isSafeInteger(lot[part]) && lot[part] >= 0);
  const sum = parts.reduce((total, part) => total + lot[part], 0);
  return isWhole && sum === lot.accruedPoints && lot.repaidPoints >= 0 && lot.repaidPoints <= lot.burnedPoints;
}

const parts = ['escrowedPoints', 'availablePoints', 'burnedPoints', 'expiredPoints', 'reversedPoints'] as const;

function stateOf(lot: Omit<Lot, 'state' | 'hasExpired' | 'hasBurned'>): Lot['state'] {
  if (lot.escrowedPoints > 0) return 'escrow';
  if (lot.availablePoints > 0) return 'available';
  if (lot.burnedPoints > 0) return 'burned';
  return lot.expiredPoints > 0 ? 'expired' : 'reversed';
}
