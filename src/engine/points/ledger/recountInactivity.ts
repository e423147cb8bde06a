import type { ObjectId } from 'bson';
import { snappedEnd } from '#base/calendar/snaps';
import type { Lot } from '#records/points/lot';
import { owedPoints } from '../lots/lotParts';
import { isInactiveAt } from './expiry';
import type { Ledger } from './ledger';

/** A cancelled activity, and the activities that are still effective. */
export interface InactivityRecount {
  purse: ObjectId;
  /** The cancelled activity. Its points count for nothing, unless the policy leaves them with the member. */
  without: ObjectId;
  /** Lots of its transfers, by hexadecimal id: what is left of them goes back under every policy. */
  transferred: ReadonlySet<string>;
  /** The latest inactivity date that the remaining effective activities give the purse. */
  latestEffective: Date | undefined;
}

/**
 * Sets the inactivity date of a purse to what it would be if an activity had not been: the latest date that other
 * activities or joining points gave it. Points that joined when that date was past, or when there was none, begin a
 * period, as they would have done then. All lots that may have points after the cancellation must be loaded.
 */
export function recountInactivity(ledger: Ledger, recount: InactivityRecount): void {
  const { purse, without, transferred, latestEffective } = recount;
  const { inactivity } = ledger.purse(purse);
  const keepsReleased = ledger.policy(purse).clawback === 'pendingOnly';
  const stays = (lot: Lot) => !transferred.has(lot._id.toHexString()) || lot.burnedPoints > owedPoints(lot);
  const isCounted = (lot: Lot) => isJoined(lot) && (!lot.activity?.equals(without) || (keepsReleased && stays(lot)));
  const lots = ledger.lots.matching(isCounted, purse).sort((a, b) => joinedOn(a).getTime() - joinedOn(b).getTime());
  let date = lots.reduce((latest, { inactivityUntil }) => later(latest, inactivityUntil), latestEffective);
  for (const lot of lots) {
    const at = joinedOn(lot);
    if (!inactivity || !isInactiveAt(ledger, date, at)) continue;
    date = snappedEnd(at, inactivity, ledger.timezone);
    ledger.lots.put({ ...lot, inactivityUntil: date });
  }
  ledger.setInactiveOn(purse, date);
}

/** True for points that joined their purse and are there, or were spent. Those of a cancelled award do not count. */
function isJoined(lot: Lot): boolean {
  const { expiresByInactivity, hasEscrowed, availablePoints, burnedPoints } = lot;
  return expiresByInactivity === true && hasEscrowed && availablePoints + burnedPoints - owedPoints(lot) > 0;
}

/** When the points of a lot joined its purse. */
function joinedOn({ joinedOn, dtEarned, dtEscrowsOn }: Lot): Date {
  return joinedOn ?? (dtEscrowsOn > dtEarned ? dtEscrowsOn : dtEarned);
}

/** The later of two dates. */
export function later(a: Date | undefined, b: Date | undefined): Date | undefined {
  if (!a || !b) return a ?? b;
  return a < b ? b : a;
}
