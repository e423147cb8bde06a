import assert from 'node:assert';
import type { ObjectId } from 'bson';
import { expire, isPastExpiry, release } from './accrue';
import type { Ledger } from './ledger';
import { repayDebt } from './repayDebt';

/** What a settling did: how many lots were released, and the points that expired, each with its date. */
export interface Settled {
  released: number;
  expired: { purse: ObjectId; points: number; date: Date }[];
}

/**
 * Releases and expires everything due at the ledger's `now`; then what joined a balance repays debt. Points that are
 * past their expiry never repay (DESIGN 9).
 */
export function settle(ledger: Ledger): Settled {
  assert(ledger.lots.isLoaded, 'lots are loaded wherever something is due');
  const { now, lots } = ledger;
  const released = lots.matching(({ escrowedPoints, dtEscrowsOn }) => escrowedPoints > 0 && dtEscrowsOn <= now);
  for (const lot of released) release(ledger, lot);
  const expired = lots.matching((lot) => isPastExpiry(lot, now));
  for (const lot of expired) expire(ledger, lot);
  for (const { policyId } of ledger.purses()) repayDebt(ledger, policyId);
  return {
    released: released.length,
    expired: expired.map((lot) => ({ purse: lot.purse, points: lot.availablePoints, date: lot.dtExpiresOn ?? now })),
  };
}
