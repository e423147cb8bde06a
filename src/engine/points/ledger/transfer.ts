import assert from 'node:assert';
import type { ObjectId } from 'bson';
import { expiresByInactivity } from '#records/points/expiry/expiryTerms';
import type { Lot } from '#records/points/lot';
import { lotExpiry } from '../lots/lotParts';
import { emptyLot, repayDebt } from './accrue';
import { joinInactivity } from './expiry';
import type { Ledger, Origin } from './ledger';

/** Points that left a lot, and when they would have expired. */
interface Left {
  lot: Lot;
  points: number;
  expiresOn: Date | undefined;
}

/** The points that left a purse, by lot; refused when the purse does not have enough available points. */
export type TransferredOut = { isRefused: false; lots: Left[] } | { isRefused: true; available: number };

/**
 * Takes points out of a purse in burn order, for a transfer to another purse. Only available points can leave: a
 * transfer never makes debt. The points that left count as burned.
 */
export function transferOut(
  ledger: Ledger,
  { purse, points, origin }: { purse: ObjectId; points: number; origin: Origin },
): TransferredOut {
  assert(ledger.lots.isLoaded, 'lots are loaded wherever points may leave');
  assert(Number.isSafeInteger(points) && points > 0, 'whole points are transferred');
  const { availBalance } = ledger.purse(purse);
  if (points > availBalance) return { isRefused: true, available: availBalance };
  const lots: Left[] = [];
  let left = points;
  for (const lot of ledger.lots.available(purse)) {
    if (left === 0) break;
    const part = Math.min(left, lot.availablePoints);
    ledger.post({ purse, kind: 'transferOut', lot, parts: { availablePoints: -part, burnedPoints: part }, origin });
    lots.push({ lot, points: part, expiresOn: lotExpiry(lot, ledger.inactiveOn(purse)) });
    left -= part;
  }
  return { isRefused: false, lots };
}

/** Points of a lot that arrive in another purse. */
export interface Arrival {
  _id: ObjectId;
  purse: ObjectId;
  points: number;
  /** The lot that they left; the new lot has the same dates. */
  from: Lot;
  /** When they would have expired there; undefined when never. */
  expiresOn: Date | undefined;
  origin: Origin;
}

/**
 * Adds transferred points as a new lot with the dates of the lot that they left. They repay debt. If the policy of the
 * new purse expires points by inactivity, they expire with the other points of that purse.
 * @throws PointsOverflow when a sum would not be exact
 */
export function transferIn(ledger: Ledger, arrival: Arrival): void {
  const { _id, purse, points, origin } = arrival;
  assert(!ledger.lot(_id), 'a lot is added once');
  const lot = arrivingLot(ledger, arrival);
  const parts = { accruedPoints: points, availablePoints: points };
  const posted = ledger.post({ purse, kind: 'transferIn', lot, parts, origin });
  if (posted) joinInactivity(ledger, posted, ledger.now);
  repayDebt(ledger, purse, origin);
}

function arrivingLot(ledger: Ledger, { _id, purse, from, expiresOn, origin }: Arrival): Lot {
  return {
    ...emptyLot(ledger, { _id, purse, origin }),
    dtEarned: from.dtEarned,
    dtEscrowsOn: from.dtEscrowsOn,
    ...transferredExpiry(ledger, purse, expiresOn),
    hasEscrowed: true,
    state: 'available',
  };
}

function transferredExpiry(
  ledger: Ledger,
  purse: ObjectId,
  date: Date | undefined,
): Pick<Lot, 'dtExpiresOn' | 'expiresByInactivity' | 'joinedOn'> {
  if (expiresByInactivity(ledger.policy(purse).expiry)) return { expiresByInactivity: true, joinedOn: ledger.now };
  return date ? { dtExpiresOn: date } : {};
}
