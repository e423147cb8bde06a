import assert from 'node:assert';
import type { ObjectId } from 'bson';
import { addTerm } from '#base/calendar/localCalendar';
import { derivedIdInOrder } from '#base/db/records';
import { type ExpiryTerms, expiresByInactivity } from '#records/points/expiry/expiryTerms';
import type { Lot } from '#records/points/lot';
import type { EscrowTerms } from '#records/points/terms';
import { isPastExpiry } from '../lots/lotParts';
import { expiryDate, joinInactivity } from './expiry';
import type { Ledger, Origin } from './ledger';

/** An award of points. */
interface Award {
  purse: ObjectId;
  /** At least 1. */
  points: number;
  /** When the points were earned; escrow and expiry count from this date. */
  date: Date;
  origin: Origin & { activity: ObjectId };
  /** Distinguishes several awards of one rule, offer or reward to one purse. */
  n: number;
  /** The member who gets the points, if it is not the member of the activity; part of the lot's id. */
  holder?: ObjectId;
  /** Overrides the policy's escrow terms. */
  escrow?: EscrowTerms;
  /** Overrides the policy's expiry terms. */
  expiry?: ExpiryTerms;
}

/**
 * Awards points as a new lot. If its escrow or expiry is past already, the lot is released or expired at once. Points
 * that join the balance repay debt (docs/design/points.md).
 * @returns the lot after all changes
 */
export function accrue(ledger: Ledger, { n, holder, ...award }: Award): Lot {
  const { purse, origin } = award;
  // Lots of one activity often have the same dates. They burn in the order of their ids, which is that of the awards.
  const _id = derivedIdInOrder(
    origin.activity.getTimestamp(),
    ledger.seq,
    'lot',
    origin.activity,
    origin.offer ?? origin.reward ?? origin.rule ?? '',
    purse,
    n,
    ...(holder ? [holder] : []),
  );
  return addLot(ledger, { _id, ...award }, 'accrue');
}

/** A lot to add, for an activity or by hand. */
export interface NewLot extends Omit<Award, 'origin' | 'n' | 'holder'> {
  _id: ObjectId;
  origin: Origin;
  /** Dates given explicitly; without them the terms decide. */
  dtEscrowsOn?: Date;
  dtExpiresOn?: Date;
}

/**
 * Adds a lot, releases or expires it if that is due already, and uses its available points to repay debt.
 * @returns the lot after all changes
 * @throws PointsOverflow when a sum would not be exact
 */
export function addLot(ledger: Ledger, award: NewLot, kind: 'accrue' | 'adjust'): Lot {
  const { _id, purse, points, date, origin } = award;
  assert(points > 0, 'points above 0 are awarded');
  assert(!ledger.lot(_id), 'a lot is added once');
  const lot = newLot(ledger, award);
  const pointsField = lot.dtEscrowsOn > date ? 'escrowedPoints' : 'availablePoints';
  const posted = ledger.post({ purse, kind, lot, parts: { accruedPoints: points, [pointsField]: points }, origin });
  if (posted && pointsField === 'availablePoints') joinInactivity(ledger, posted, date);
  settleLot(ledger, _id);
  repayDebt(ledger, purse, origin);
  return ledger.lot(_id) ?? lot;
}

/** Releases and expires one lot if that is due. */
export function settleLot(ledger: Ledger, id: ObjectId): void {
  const lot = ledger.lot(id);
  if (lot && lot.escrowedPoints > 0 && lot.dtEscrowsOn <= ledger.now) release(ledger, lot);
  const released = ledger.lot(id);
  if (released && isPastExpiry(released, ledger.inactiveOn(released.purse), ledger.now)) expire(ledger, released);
}

/** Moves a lot's points from escrow to the balance. */
export function release(ledger: Ledger, lot: Lot, at = ledger.now): Lot | undefined {
  const { purse, escrowedPoints: points, activity, dtEscrowsOn } = lot;
  const joined = joinInactivity(ledger, lot, dtEscrowsOn);
  const parts = { escrowedPoints: -points, availablePoints: points };
  return ledger.post({ purse, kind: 'release', lot: joined, parts, origin: activity ? { activity } : {}, at });
}

/** Expires all available points of a lot. */
export function expire(ledger: Ledger, lot: Lot, at = ledger.now): Lot | undefined {
  const { purse, availablePoints: points, activity } = lot;
  const parts = { availablePoints: -points, expiredPoints: points };
  return ledger.post({ purse, kind: 'expire', lot, parts, origin: activity ? { activity } : {}, at });
}

/** A lot with its dates, before points are added. The copy comes last (decision 16). */
function newLot(ledger: Ledger, { _id, purse, date, origin, escrow, expiry, ...named }: NewLot): Lot {
  const policy = ledger.policy(purse);
  const dtEscrowsOn = named.dtEscrowsOn ?? releaseDate(date, escrow ?? policy.escrow, ledger.timezone);
  // Inactivity terms of an award are ignored: all points of a purse share its inactivity date.
  const terms = expiresByInactivity(expiry) ? policy.expiry : (expiry ?? policy.expiry);
  const dtExpiresOn = named.dtExpiresOn ?? expiryDate(dtEscrowsOn, terms, ledger.timezone);
  const isByInactivity = !dtExpiresOn && expiresByInactivity(terms);
  return {
    dtEarned: date,
    dtEscrowsOn,
    hasEscrowed: false,
    state: 'escrow',
    ...emptyLot(ledger, { _id, purse, origin }),
    ...(dtExpiresOn ? { dtExpiresOn } : {}),
    ...(isByInactivity ? { expiresByInactivity: true } : {}),
  };
}

/** A lot of a purse without points, dates and state, but with its origin: the activity and rule that it comes from. */
export function emptyLot(
  ledger: Ledger,
  {
    _id,
    purse,
    origin: { activity, rule, ruleVersion, offer, reward },
  }: { _id: ObjectId; purse: ObjectId; origin: Origin },
) {
  return {
    _id,
    member: ledger.input.member._id,
    purse,
    purseName: ledger.policy(purse).name,
    program: ledger.input.member.program,
    accruedPoints: 0,
    escrowedPoints: 0,
    availablePoints: 0,
    burnedPoints: 0,
    expiredPoints: 0,
    reversedPoints: 0,
    repaidPoints: 0,
    hasExpired: false,
    hasBurned: false,
    ...(rule ? { rule } : {}),
    ...(ruleVersion === undefined ? {} : { ruleVersion }),
    ...(offer ? { offer } : {}),
    ...(reward ? { reward } : {}),
    ...(activity ? { activity } : {}),
  } satisfies Partial<Lot>;
}

/** When points earned at `date` join the balance: at once, or after the duration of the terms in the time zone. */
export function releaseDate(date: Date, terms: EscrowTerms | undefined, timezone: string): Date {
  if (!terms || terms.type === 'none' || !terms.value || !terms.unit) return date;
  return addTerm(date, terms.value, terms.unit, timezone);
}

/** Points that were taken from a lot. */
export interface PointsOfLot {
  lot: ObjectId;
  points: number;
}

/**
 * Repays the debt of a purse from its available points in burn order, as far as they suffice. Points past their expiry
 * must be expired before. If the lots of the member are not loaded, only new lots repay. That is enough, because a
 * purse in debt has no other available points.
 * @param at when the repayment takes effect
 * @returns the points that each lot repaid
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
