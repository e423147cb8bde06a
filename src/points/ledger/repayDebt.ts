import assert from 'node:assert';
import type { ObjectId } from 'bson';
import { isPastExpiry } from '../lots/lotParts';
import type { Ledger, Origin } from './ledger';

/** Points that a lot gave. */
export interface PointsOfLot {
  lot: ObjectId;
  points: number;
}

/**
 * Repays the debt of a purse from its available points in burn order, as far as they go. What is past its
 * expiry must have been expired before. When the lots of a member are not loaded only new ones can repay: a purse in
 * debt has no other with points.
 * @param at when they do
 * @returns which lots repaid
 */
export function repayDebt(ledger: Ledger, purse: ObjectId, origin: Origin = {}, at = ledger.now): PointsOfLot[] {
  const repaid: PointsOfLot[] = [];
  let { debt } = ledger.purse(purse);
  if (debt === 0) return repaid;
  for (const lot of ledger.lots.available(purse)) {
    if (debt === 0) break;
    assert(!isPastExpiry(lot, ledger.inactiveOn(purse), at), 'what is due was settled before');
    const points = Math.min(lot.availablePoints, debt);
    const parts = { availablePoints: -points, burnedPoints: points, repaidPoints: points };
    ledger.post({ purse, kind: 'repay', lot, parts, debt: -points, origin, at });
    repaid.push({ lot: lot._id, points });
    debt -= points;
  }
  return repaid;
}
