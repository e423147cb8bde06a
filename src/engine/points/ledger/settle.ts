import assert from 'node:assert';
import type { ObjectId } from 'bson';
import type { Lot } from '#records/points/lot';
import { expire, release, repayDebt } from './accrue';
import type { Ledger, Origin } from './ledger';
import { earliestDue, nextDues } from './purses';

/** The result of settling: how many lots were released, and which points expired, with their dates. */
export interface Settled {
  released: number;
  expired: { lot: ObjectId; purse: ObjectId; points: number; date: Date }[];
}

/**
 * Releases and expires everything that is due at the ledger's `now`. Each change takes effect at its due date, in the
 * order of the dates. So the result does not depend on how late the ledger is settled. Released points repay debt at
 * their release date, unless they have expired by then.
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
 * Expires restored points that are past their date, and uses the rest to repay debt. Both take effect now, because the
 * points were not in the ledger before.
 */
export function settleAfterReturn(ledger: Ledger, origin: Origin): Settled['expired'] {
  return ledger.purses().flatMap(({ policyId }) => {
    const expired = expireBy(ledger, policyId, ledger.now, ledger.now);
    repayDebt(ledger, policyId, origin);
    return expired;
  });
}

/** The first date at which something is due; undefined when that is after now. */
function dueBy(ledger: Ledger): Date | undefined {
  const purses = ledger.purses();
  const date = earliestDue(
    purses.map(({ policyId, inactiveOn }) => nextDues(ledger.lots.queuesOf(policyId), inactiveOn)),
  );
  return date && date <= ledger.now ? date : undefined;
}

/**
 * At the same date, points expire before others are released: the release may move the inactivity date, but not for
 * points that were due already.
 */
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

/** Expires points whose date is at or before `by`; the entries take effect at `at`. */
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
