import type { Lot } from '#records/points/lot';
import type { Purse } from '#records/points/purse';
import { sum } from '../pointsOverflow';
import { repayDebt } from './accrue';
import { joinInactivity } from './expiry';
import type { Ledger, LedgerChanges } from './ledger';

/** The changes of a merge; they must be committed together. Lots that moved are only in the survivor's `updated`. */
export interface MergedLedgers {
  survivor: LedgerChanges;
  /** One for each merged ledger, in the same order: purses at zero, and a journal entry for everything that left. */
  merged: LedgerChanges[];
}

/**
 * Moves the points of merged members to the survivor: lots with available or escrowed points, debt, and the totals of
 * the purses. Each moved lot and debt gets one journal entry `transferOut` and one `transferIn`. Then available points
 * repay debt. All ledgers must belong to one program, be settled, and have loaded their lots that have points.
 * @throws PointsOverflow when a sum would not be exact
 */
export function mergeLedgers(survivor: Ledger, merged: readonly Ledger[]): MergedLedgers {
  const moved = new Set<string>();
  for (const ledger of merged) {
    for (const { policyId, inactiveOn, inactivity } of ledger.purses()) {
      // Lots in escrow may need these terms when they are released.
      survivor.adoptInactivity(policyId, inactivity);
      // The later date is used: the activity of one member counts for all points.
      if (inactiveOn) survivor.moveInactiveOn(policyId, inactiveOn);
      for (const lot of [...ledger.lots.available(policyId), ...ledger.lots.escrowed(policyId)]) {
        moveLot(ledger, survivor, lot);
        moved.add(lot._id.toHexString());
      }
      moveDebt(ledger, survivor, ledger.purse(policyId));
    }
  }
  for (const { policyId } of survivor.purses()) repayDebt(survivor, policyId);
  return withTotals(
    survivor.changes(),
    merged.map((ledger) => ledger.changes()),
    moved,
  );
}

function moveLot(from: Ledger, to: Ledger, lot: Lot): void {
  const { purse, availablePoints, escrowedPoints } = lot;
  const points = availablePoints + escrowedPoints;
  // Burned and expired points move with the totals of the purse. So only the points left move as accrued points here.
  const out = { accruedPoints: -points, availablePoints: -availablePoints, escrowedPoints: -escrowedPoints };
  const hollow = from.post({ purse, kind: 'transferOut', lot, parts: out }) ?? lot;
  const parts = { accruedPoints: points, availablePoints, escrowedPoints };
  const moved = to.post({ purse, kind: 'transferIn', lot: { ...hollow, member: to.input.member._id }, parts });
  if (moved && availablePoints > 0) joinInactivity(to, moved, to.now);
}

function moveDebt(from: Ledger, to: Ledger, { policyId: purse, debt }: Purse): void {
  if (debt === 0) return;
  from.post({ purse, kind: 'transferOut', debt: -debt });
  to.post({ purse, kind: 'transferIn', debt });
}

function withTotals(survivor: LedgerChanges, merged: LedgerChanges[], moved: ReadonlySet<string>): MergedLedgers {
  const isMoved = ({ _id }: Lot) => moved.has(_id.toHexString());
  const purses = survivor.purses.map((purse) =>
    merged
      .flatMap((changes) => changes.purses.filter(({ policyId }) => policyId.equals(purse.policyId)))
      .reduce(addTotals, purse),
  );
  // The survivor's ledger takes the moved lots for new ones, but all of them are stored already.
  const updated = [...survivor.updated, ...survivor.inserted];
  return {
    survivor: { ...survivor, purses, inserted: [], updated },
    merged: merged.map((changes) => ({
      ...changes,
      updated: changes.updated.filter((lot) => !isMoved(lot)),
      purses: changes.purses.map((purse) => ({ ...purse, accruedPoints: 0, burnedPoints: 0, expiredPoints: 0 })),
    })),
  };
}

function addTotals(to: Purse, from: Purse): Purse {
  return {
    ...to,
    accruedPoints: sum(to.accruedPoints, from.accruedPoints),
    burnedPoints: sum(to.burnedPoints, from.burnedPoints),
    expiredPoints: sum(to.expiredPoints, from.expiredPoints),
  };
}
