import type { ObjectId } from 'bson';
import { snappedEnd } from '#base/calendar/snaps';
import { type ExpiryTerms, expiryKind, missingFields } from '#records/points/expiry/expiryTerms';
import type { Lot } from '#records/points/lot';
import type { Ledger } from './ledger';

/**
 * When points that joined the balance at `from` expire, in the program's time zone; undefined when they never expire or
 * expire by inactivity. Terms without a field that their kind needs mean never; a policy or a rule with such terms is
 * refused.
 */
export function expiryDate(from: Date, terms: ExpiryTerms | undefined, timezone: string): Date | undefined {
  if (!terms || missingFields(terms).length > 0) return undefined;
  return expiryKind(terms).date?.(from, terms, timezone);
}

/** Types of activities that keep a member active, once they are Processed. */
export const activeTypes: readonly string[] = ['Accrual', 'Redemption'];

/** Tells whether an activity of this type keeps its member active. */
export function isActivity(type: string): boolean {
  return activeTypes.includes(type);
}

/** An inactivity date of a purse. */
export interface InactiveOn {
  purse: ObjectId;
  date: Date;
}

/**
 * Restarts the inactivity period of all purses at a Processed Accrual or Redemption. No date becomes earlier.
 * @returns the date that the activity alone gives each purse whose points expire by inactivity
 */
export function extendInactivity(ledger: Ledger, from: Date): InactiveOn[] {
  const dates = inactivityDates(ledger, from);
  for (const { purse, date } of dates) ledger.moveInactiveOn(purse, date);
  return dates;
}

/** The inactivity dates, by the present terms, of a member that is inactive from `from` on. */
export function inactivityDates(ledger: Ledger, from: Date): InactiveOn[] {
  return ledger.purses().flatMap(({ policyId: purse, inactivity }) => {
    return inactivity ? [{ purse, date: snappedEnd(from, inactivity, ledger.timezone) }] : [];
  });
}

/**
 * Sets the inactivity date of a purse when points join it, if it has none or its date is past for these points.
 * Otherwise the points would expire for a time in which they did not exist. A date in the future stays, even if the
 * points are dated after it: only an Accrual or a Redemption moves it.
 * @param lot of the ledger
 * @param at when the points joined the balance
 * @returns the lot; it records the date that it set
 */
export function joinInactivity(ledger: Ledger, lot: Lot, at: Date): Lot {
  const { inactivity } = ledger.purse(lot.purse);
  if (!lot.expiresByInactivity || !inactivity || !isInactiveAt(ledger, ledger.inactiveOn(lot.purse), at)) return lot;
  const inactivityUntil = snappedEnd(at, inactivity, ledger.timezone);
  ledger.moveInactiveOn(lot.purse, inactivityUntil);
  const joined = { ...lot, inactivityUntil };
  ledger.lots.put(joined);
  return joined;
}

/** True when a purse with this inactivity date has none, or a past one, for points that join it at `at`. */
export function isInactiveAt({ now }: Pick<Ledger, 'now'>, inactiveOn: Date | undefined, at: Date): boolean {
  return inactiveOn === undefined || (inactiveOn <= at && inactiveOn <= now);
}
