import type { ObjectId } from 'bson';
import { derivedId } from '../db/derivedId';
import { releaseDate } from './escrow';
import { expiryDate } from './expiry';
import type { Ledger, Origin } from './ledger';
import type { Lot } from './lot';
import { repayDebt } from './repayDebt';
import type { EscrowTerms, ExpiryTerms } from './terms';

/** An award of points. */
export interface Award {
  purse: ObjectId;
  /** At least 1. */
  points: number;
  /** When they were earned; escrow and expiry count from here. */
  date: Date;
  origin: Origin & { activity: ObjectId };
  /** Tells apart several awards of one rule to one purse. */
  n: number;
  /** Override the policy's terms. */
  escrow?: EscrowTerms;
  expiry?: ExpiryTerms;
}

/**
 * Awards points as a new lot. An award whose escrow or expiry is past already is released or expired at once; what
 * joins the balance repays debt (DESIGN 9).
 * @returns the lot as it is then
 */
export function accrue(ledger: Ledger, award: Award): Lot {
  const lot = newLot(ledger, award);
  const { purse, points, origin } = award;
  const isHeld = lot.dtEscrowsOn > award.date;
  ledger.insert(lot);
  const held = isHeld ? 'escrowedPoints' : 'availablePoints';
  let current = ledger.post({ purse, kind: 'accrue', lot, parts: { [held]: points }, origin });
  if (isHeld && current && lot.dtEscrowsOn <= ledger.now) current = release(ledger, current);
  if (current && isPastExpiry(current, ledger.now)) current = expire(ledger, current);
  repayDebt(ledger, purse, current);
  const result = ledger.lot(lot._id) ?? lot;
  ledger.noteDues(result);
  return result;
}

/** Moves a lot's points from escrow to the balance. */
export function release(ledger: Ledger, lot: Lot): Lot | undefined {
  const { purse, escrowedPoints: points, activity } = lot;
  const parts = { escrowedPoints: -points, availablePoints: points };
  return ledger.post({ purse, kind: 'release', lot, parts, origin: activity ? { activity } : {} });
}

/** Takes a lot's available points out of the balance for good. */
export function expire(ledger: Ledger, lot: Lot): Lot | undefined {
  const { purse, availablePoints: points, activity } = lot;
  const parts = { availablePoints: -points, expiredPoints: points };
  return ledger.post({ purse, kind: 'expire', lot, parts, origin: activity ? { activity } : {} });
}

/** Tells whether a lot's available points are past their date. */
export function isPastExpiry({ availablePoints, dtExpiresOn }: Lot, now: Date): boolean {
  return availablePoints > 0 && dtExpiresOn !== undefined && dtExpiresOn <= now;
}

/** The lot of an award, before any points are in it; the same award always has the same id. */
function newLot(ledger: Ledger, { purse, points, date, origin, n, escrow, expiry }: Award): Lot {
  const policy = ledger.policy(purse);
  const dtEscrowsOn = releaseDate(date, escrow ?? policy.escrow, ledger.timezone);
  const dtExpiresOn = expiryDate(dtEscrowsOn, expiry ?? policy.expiry, ledger.timezone);
  const { activity, rule, ruleVersion } = origin;
  return {
    _id: derivedId('lot', activity, rule ?? '', purse, n),
    ...(rule ? { rule } : {}),
    ...(ruleVersion === undefined ? {} : { ruleVersion }),
    member: ledger.input.member._id,
    activity,
    purse,
    purseName: policy.name,
    program: ledger.input.member.program,
    accruedPoints: points,
    escrowedPoints: 0,
    availablePoints: 0,
    burnedPoints: 0,
    expiredPoints: 0,
    reversedPoints: 0,
    repaidPoints: 0,
    dtEarned: date,
    dtEscrowsOn,
    ...(dtExpiresOn ? { dtExpiresOn } : {}),
    hasEscrowed: false,
    hasExpired: false,
    hasBurned: false,
    state: 'escrow',
  };
}
