import assert from 'node:assert';
import type { ObjectId } from 'bson';
import type { Lot } from '#records/points/lot';
import { addLot, type NewLot, repayDebt, settleLot } from './accrue';
import { joinInactivity } from './expiry';
import type { Ledger, Origin } from './ledger';

/** Adds a lot by hand. It follows the same rules as an award, but its journal kind is `adjust`. */
export function addAdjusted(ledger: Ledger, lot: NewLot): Lot {
  return addLot(ledger, lot, 'adjust');
}

/** Points to add to a lot by hand; negative numbers remove points. */
export interface Adjustment {
  lot: ObjectId;
  available?: number;
  escrow?: number;
  origin?: Origin;
}

/**
 * Changes the points of a lot by hand. Added points count as accrued, removed points as reversed. To remove a lot means
 * to remove all its points; the record of the lot stays, because the journal refers to it. Added points repay debt.
 * Points can be added to the escrow only before it has ended, and to the available points only afterwards.
 * @returns the lot after all changes
 * @throws PointsOverflow when a sum would not be exact
 */
export function adjust(ledger: Ledger, { lot: id, available = 0, escrow = 0, origin = {} }: Adjustment): Lot {
  const lot = ledger.lot(id);
  assert(lot, 'the lot is loaded');
  assert(escrow <= 0 || !lot.hasEscrowed, 'points are added to an escrow that has not ended');
  assert(available <= 0 || lot.hasEscrowed, 'points are added to what is available once the escrow has ended');
  // One journal entry for each part: in a single entry, added and removed points would cancel out.
  const changed = postPart(ledger, lot, 'escrowedPoints', escrow, origin);
  const adjusted = postPart(ledger, changed, 'availablePoints', available, origin);
  if (available > 0) joinInactivity(ledger, adjusted, ledger.now);
  settleLot(ledger, id);
  repayDebt(ledger, lot.purse, origin);
  return ledger.lot(id) ?? lot;
}

/**
 * Gives a lot other dates by hand. A journal entry without points records it. If a new date is past, the lot is
 * released or expired at once.
 */
export function redate(ledger: Ledger, id: ObjectId, dates: Pick<Lot, 'dtEscrowsOn' | 'dtExpiresOn'>): void {
  const found = ledger.lot(id);
  assert(found, 'the lot is loaded');
  const { dtExpiresOn: _before, ...lot } = found;
  ledger.post({ purse: lot.purse, kind: 'adjust', lot: { ...lot, ...dates } });
  settleLot(ledger, id);
  repayDebt(ledger, lot.purse);
}

function postPart(
  ledger: Ledger,
  lot: Lot,
  part: 'escrowedPoints' | 'availablePoints',
  change: number,
  origin: Origin,
): Lot {
  if (change === 0) return lot;
  const balanced = change > 0 ? { accruedPoints: change } : { reversedPoints: -change };
  return ledger.post({ purse: lot.purse, kind: 'adjust', lot, parts: { [part]: change, ...balanced }, origin }) ?? lot;
}
