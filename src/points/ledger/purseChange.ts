import type { Purse } from '../../records/points/purse';
import { inactivityTerms } from '../../records/points/terms';
import type { PartChange } from '../lots/lotParts';
import { sum } from '../pointsOverflow';
import type { LedgerPolicy } from './ledgerPolicy';

/** A purse with the terms of inactivity that its policy has now; where that has none, those it had. */
export function withInactivity(purse: Purse, policies: readonly LedgerPolicy[]): Purse {
  const inactivity = inactivityTerms(policies.find(({ _id }) => _id.equals(purse.policyId))?.expiry);
  return inactivity ? { ...purse, inactivity } : purse;
}

/** A purse without what is due next of it. */
export function withoutDues({ nextEscrow: _escrow, nextExpiry: _expiry, ...purse }: Purse): Purse {
  return purse;
}

/**
 * A purse after a change of a lot's parts and of its debt.
 * @throws PointsOverflow when a sum would not be exact
 */
export function withChange(purse: Purse, parts: PartChange, debt: number, now: Date): Purse {
  const { accruedPoints = 0, availablePoints = 0, escrowedPoints = 0, burnedPoints = 0, expiredPoints = 0 } = parts;
  return {
    ...purse,
    availBalance: sum(purse.availBalance, availablePoints - debt),
    balance: sum(purse.balance, availablePoints + escrowedPoints - debt),
    escrowsIn: sum(purse.escrowsIn, escrowedPoints),
    debt: sum(purse.debt, debt),
    accruedPoints: sum(purse.accruedPoints, accruedPoints),
    burnedPoints: sum(purse.burnedPoints, burnedPoints),
    expiredPoints: sum(purse.expiredPoints, expiredPoints),
    updatedAt: now,
  };
}
