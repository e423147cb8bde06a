import assert from 'node:assert';
import type { ObjectId } from 'bson';
import type { Lot } from '../../records/points/lot';
import { addLot, type NewLot, repayDebt, settleLot } from './accrue';
import { joinInactivity } from './expiry';
import type { Ledger, Origin } from './ledger';

/** Adds a lot by hand; otherwise the same as an award. */
export function addAdjusted(ledger: Ledger, lot: NewLot): Lot {
  return addLot(ledger, lot, 'adjust');
}

/** Points to add to a lot by hand; negative takes away. */
export interface Adjustment {
  lot: ObjectId;
  available?: number;
  escrow?: number;
  origin?: Origin;
}

/**
 * Changes the points of a lot by hand: what is added counts as accrued, what is taken away as reversed. Removing a lot
 * takes all its points; the lot itself stays, as everything in the journal does. What is added repays debt. Points can be
 * added to the escrow only before it has ended, to the available ones only afterwards.
 * @returns the lot as it is then
 * @throws PointsOverflow when a sum would not be exact
 */
export function adjust(ledger: Ledger, { lot: id, available = 0, escrow = 0, origin = {} }: Adjustment): Lot {
  const lot = ledger.lot(id);
  assert(lot, 'the lot is loaded');
  assert(escrow <= 0 || !lot.hasEscrowed, 'points are added to an escrow that has not ended');
  assert(available <= 0 || lot.hasEscrowed, 'points are added to what is available once the escrow has ended');
  // An entry for each: points added and points taken in one entry would hide each other.
  const changed = postPart(ledger, lot, 'escrowedPoints', escrow, origin);
  postPart(ledger, changed, 'availablePoints', available, origin);
  if (available > 0) joinInactivity(ledger, lot, ledger.now);
  settleLot(ledger, id);
  repayDebt(ledger, lot.purse, origin);
  return ledger.lot(id) ?? lot;
}

/**
 * Changes the dates of a lot by hand, which an entry without points records; what is past by then is released or expired
 * at once.
 */
export function redate(ledger: Ledger, id: ObjectId, dates: Partial<Pick<Lot, 'dtEscrowsOn' | 'dtExpiresOn'>>): void {
  const lot = ledger.lot(id);
  assert(lot, 'the lot is loaded');
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
