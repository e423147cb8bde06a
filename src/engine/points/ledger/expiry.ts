import type { ObjectId } from 'bson';
import { addTerm, instantOf, type WallTime, wallTime } from '#base/calendar/localCalendar';
import { endOfPeriod, startOfLocalDay } from '#base/calendar/snaps';
import { dayMs } from '#base/common/durations';
import type { Lot } from '#records/points/lot';
import type { ExpiryTerms, InactivityTerms } from '#records/points/terms';
import type { Ledger } from './ledger';

/**
 * When points that joined the balance at `from` expire, in the program's time zone; undefined when they never expire or
 * expire by inactivity.
 */
export function expiryDate(from: Date, terms: ExpiryTerms | undefined, timezone: string): Date | undefined {
  if (!terms || terms.type === 'none' || terms.type === 'inactivity') return undefined;
  return terms.type === 'rolling' ? rollingDate(from, terms, timezone) : calendarDate(from, terms, timezone);
}

/** When points expire if their member is inactive from `from` on. */
export function inactivityDate(from: Date, terms: InactivityTerms, timezone: string): Date {
  return snapped(addTerm(from, terms.value, terms.unit, timezone), terms.snap, timezone);
}

/** A rule's terms without value or unit mean: never. A policy with such terms is refused. */
function rollingDate(from: Date, { value, unit, snap }: ExpiryTerms, timezone: string): Date | undefined {
  if (value === undefined || !unit) return undefined;
  return snapped(addTerm(from, value, unit, timezone), snap, timezone);
}

function snapped(date: Date, snap: ExpiryTerms['snap'], timezone: string): Date {
  if (!snap || snap === 'none') return date;
  return endOfPeriod(date, snap, timezone);
}

/**
 * The midnight at the end of the first such day on or after the points were earned, `value` years later. A day that the
 * month does not have becomes its last day: 29 February is 28 February in common years.
 */
function calendarDate(from: Date, { month = 12, day = 31, value = 0 }: ExpiryTerms, timezone: string): Date {
  const earned = startOfLocalDay(wallTime(from, timezone));
  const years = dayIn(earned, 0, month, day) < earned ? value + 1 : value;
  return instantOf(dayIn(earned, years, month, day) + dayMs, timezone);
}

/** The given month and day, in the year that is `years` years after the year of another day. */
function dayIn(other: WallTime, years: number, month: number, day: number): WallTime {
  const date = new Date(other);
  date.setUTCFullYear(date.getUTCFullYear() + years, month, 0);
  return date.setUTCDate(Math.min(day, date.getUTCDate()));
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
    return inactivity ? [{ purse, date: inactivityDate(from, inactivity, ledger.timezone) }] : [];
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
  const inactivityUntil = inactivityDate(at, inactivity, ledger.timezone);
  ledger.moveInactiveOn(lot.purse, inactivityUntil);
  const joined = { ...lot, inactivityUntil };
  ledger.lots.put(joined);
  return joined;
}

/** True when a purse with this inactivity date has none, or a past one, for points that join it at `at`. */
export function isInactiveAt({ now }: Pick<Ledger, 'now'>, inactiveOn: Date | undefined, at: Date): boolean {
  return inactiveOn === undefined || (inactiveOn <= at && inactiveOn <= now);
}
