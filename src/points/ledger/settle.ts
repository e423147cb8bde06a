import assert from 'node:assert';
import type { ObjectId } from 'bson';
import type { Lot } from '../../records/points/lot';
import { expire, release, repayDebt } from './accrue';
import type { Ledger, Origin } from './ledger';
import { duesOf, earliestDue } from './purses';

/** What a settling did: how many lots were released, and the points that expired, each with its date. */
export interface Settled {
  released: number;
  expired: { lot: ObjectId; purse: ObjectId; points: number; date: Date }[];
}

/**
 * Releases and expires everything due at the ledger's `now`, in the order of its dates and as of them, so that the
 * ledger is the same however late it is noticed: what joins a balance repays debt then and there, if it has
 * not expired by that time.
 */
export function settle(ledger: Ledger): Settled {
  assert(ledger.lots.isLoaded, 'lots are loaded wherever something is due');
  const settled: Settled = { released: 0, expired: [] };
  for (let at = dueBy(ledger); at; at = dueBy(ledger)) {
    for (const { policyId } of ledger.purses()) settlePurse(ledger, policyId, at, settled);
  }
  return settled;
}

/**
 * Expires what came back to a ledger past its date, and lets the rest repay debt: points that were given back were not
 * there at any date before now.
 */
export function settleAfterReturn(ledger: Ledger, origin: Origin): Settled['expired'] {
  return ledger.purses().flatMap(({ policyId }) => {
    const expired = expireBy(ledger, policyId, ledger.now, ledger.now);
    repayDebt(ledger, policyId, origin);
    return expired;
  });
}

/** The first date at which something is due, if that is past. */
function dueBy(ledger: Ledger): Date | undefined {
  const purses = ledger.purses();
  const date = earliestDue(
    purses.map(({ policyId, inactiveOn }) => duesOf(ledger.lots.queuesOf(policyId), inactiveOn)),
  );
  return date && date <= ledger.now ? date : undefined;
}

/** What expires at a date does so before points join at it, which could not keep it alive any more. */
function settlePurse(ledger: Ledger, purse: ObjectId, at: Date, settled: Settled): void {
  settled.expired.push(...expireBy(ledger, purse, at, at));
  let released = 0;
  for (const lot of ledger.lots.escrowed(purse)) {
    if (lot.dtEscrowsOn > at) break;
    release(ledger, lot, at);
    released += 1;
  }
  if (released === 0) return;
  settled.released += released;
  settled.expired.push(...expireBy(ledger, purse, at, at));
  repayDebt(ledger, purse, {}, at);
}

/** Expires what is past its date at `by`. */
function expireBy(ledger: Ledger, purse: ObjectId, by: Date, at: Date): Settled['expired'] {
  const expired: Settled['expired'] = [];
  const expireLot = (lot: Lot, date: Date) => {
    expire(ledger, lot, at);
    expired.push({ lot: lot._id, purse, points: lot.availablePoints, date });
  };
  for (const lot of ledger.lots.available(purse)) {
    if (!lot.dtExpiresOn || lot.dtExpiresOn > by) break;
    expireLot(lot, lot.dtExpiresOn);
  }
  const inactiveOn = ledger.inactiveOn(purse);
  if (inactiveOn && inactiveOn <= by) {
    for (const lot of ledger.lots.byInactivity(purse)) expireLot(lot, inactiveOn);
  }
  return expired;
}
