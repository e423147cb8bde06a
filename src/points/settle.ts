import assert from 'node:assert';
import type { ObjectId } from 'bson';
import { expire, isPastExpiry, release } from './accrue';
import type { Ledger, Origin } from './ledger';
import type { Lot } from './lot';
import { repayDebt } from './repayDebt';

/** What a settling did: how many lots were released, and the points that expired, each with its date. */
export interface Settled {
  released: number;
  expired: { lot: ObjectId; purse: ObjectId; points: number; date: Date }[];
}

/**
 * Releases and expires everything due at the ledger's `now`; then what joined a balance repays debt. A lot past both
 * dates is released and then expired: points that are past their expiry never repay (DESIGN 9).
 */
export function settle(ledger: Ledger, origin: Origin = {}): Settled {
  assert(ledger.lots.isLoaded, 'lots are loaded wherever something is due');
  const settled: Settled = { released: 0, expired: [] };
  for (const { policyId } of ledger.purses()) {
    for (const lot of dueLots(ledger.lots.escrowed(policyId), (lot) => lot.dtEscrowsOn <= ledger.now)) {
      release(ledger, lot);
      settled.released += 1;
    }
    for (const lot of dueLots(ledger.lots.available(policyId), (lot) => isPastExpiry(lot, ledger.now))) {
      expire(ledger, lot);
      const { _id, purse, availablePoints: points, dtExpiresOn: date = ledger.now } = lot;
      settled.expired.push({ lot: _id, purse, points, date });
    }
    repayDebt(ledger, policyId, origin);
  }
  return settled;
}

/** The lots up to the first that is not due; they come in the order of that date. */
function* dueLots(inOrder: Iterable<Lot>, isDue: (lot: Lot) => boolean): Generator<Lot> {
  for (const lot of inOrder) {
    if (!isDue(lot)) return;
    yield lot;
  }
}
