import assert from 'node:assert';
import type { ObjectId } from 'bson';
import { expire, release } from './accrue';
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
      // What expired by inactivity before this lot joined must not live on by its joining.
      settled.expired.push(...expireInactive(ledger, policyId, lot.dtEscrowsOn));
      release(ledger, lot);
      settled.released += 1;
    }
    settled.expired.push(...expireDated(ledger, policyId), ...expireInactive(ledger, policyId, ledger.now));
    repayDebt(ledger, policyId, origin);
  }
  return settled;
}

function expireDated(ledger: Ledger, purse: ObjectId): Settled['expired'] {
  const isDue = ({ dtExpiresOn }: Lot) => dtExpiresOn !== undefined && dtExpiresOn <= ledger.now;
  return [...dueLots(ledger.lots.available(purse), isDue)].map((lot) => expireOn(ledger, lot, lot.dtExpiresOn));
}

/** Expires what does so by inactivity when the purse's date is reached at `by`. */
function expireInactive(ledger: Ledger, purse: ObjectId, by: Date): Settled['expired'] {
  const inactiveOn = ledger.inactiveOn(purse);
  if (!inactiveOn || inactiveOn > by) return [];
  return [...ledger.lots.byInactivity(purse)].map((lot) => expireOn(ledger, lot, inactiveOn));
}

function expireOn(ledger: Ledger, lot: Lot, date: Date = ledger.now): Settled['expired'][number] {
  expire(ledger, lot);
  return { lot: lot._id, purse: lot.purse, points: lot.availablePoints, date };
}

/** The lots up to the first that is not due; they come in the order of that date. */
function* dueLots(inOrder: Iterable<Lot>, isDue: (lot: Lot) => boolean): Generator<Lot> {
  for (const lot of inOrder) {
    if (!isDue(lot)) return;
    yield lot;
  }
}
