import assert from 'node:assert';
import type { ObjectId } from 'bson';
import { isPastExpiry } from '../lots/lotParts';
import type { PointsOfLot } from './accrue';
import type { Ledger, Origin } from './ledger';

/** The points that a burn took, by lot, and the debt it made; refused when the purse does not cover the points. */
export type Burned = { isRefused: false; lots: PointsOfLot[]; debt: number } | { isRefused: true; available: number };

/**
 * Burns points of a purse in burn order. Points that its lots do not cover become debt, up to the overdraft limit. If
 * the limit does not suffice, the burn is refused and the purse does not change (docs/design/points.md).
 */
export function burn(
  ledger: Ledger,
  { purse, points, origin }: { purse: ObjectId; points: number; origin: Origin },
): Burned {
  assert(ledger.lots.isLoaded, 'lots are loaded wherever points may be burned');
  assert(Number.isSafeInteger(points) && points > 0, 'whole points are burned');
  const { availBalance, overdraftLimit } = ledger.purse(purse);
  if (!isCovered(points, availBalance, overdraftLimit)) return { isRefused: true, available: availBalance };
  const lots: PointsOfLot[] = [];
  let left = points;
  for (const lot of ledger.lots.available(purse)) {
    if (left === 0) break;
    assert(!isPastExpiry(lot, ledger.inactiveOn(purse), ledger.now), 'what is due was settled before');
    const part = Math.min(left, lot.availablePoints);
    ledger.post({ purse, kind: 'burn', lot, parts: { availablePoints: -part, burnedPoints: part }, origin });
    lots.push({ lot: lot._id, points: part });
    left -= part;
  }
  if (left > 0) ledger.post({ purse, kind: 'burn', debt: left, origin });
  return { isRefused: false, lots, debt: left };
}

/**
 * Tells whether points <= availBalance + overdraftLimit, computed so that no sum leaves the range of exact integers.
 */
function isCovered(points: number, availBalance: number, overdraftLimit: number): boolean {
  return availBalance < 0 ? points <= availBalance + overdraftLimit : points - availBalance <= overdraftLimit;
}
