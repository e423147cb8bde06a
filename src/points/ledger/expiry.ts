import type { ObjectId } from 'bson';
import { addMonths, addTerm, dayMs, instantOf, type WallTime, wallTime } from '../../calendar/localCalendar';
import type { Lot } from '../../records/points/lot';
import type { ExpiryTerms, InactivityTerms } from '../../records/points/terms';
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
  return instantOf(periodEnds[snap](startOfDay(wallTime(date, timezone))), timezone);
}

type Snap = Exclude<NonNullable<ExpiryTerms['snap']>, 'none'>;

/**
 * The local midnight that ends the period of a day. Weeks begin on Sunday, so the midnight after Saturday ends them.
 */
const periodEnds: Record<Snap, (day: WallTime) => WallTime> = {
  endOfDay: (day) => day + dayMs,
  endOfWeek: (day) => day + (7 - new Date(day).getUTCDay()) * dayMs,
  endOfMonth: (day) => endOfMonths(day, 1),
  endOfQuarter: (day) => endOfMonths(day, 3),
  endOfYear: (day) => endOfMonths(day, 12),
};

/** The midnight that ends the period of a day; a period is `months` months long, and the first begins in January. */
function endOfMonths(day: WallTime, months: number): WallTime {
  const date = new Date(day);
  const first = date.setUTCDate(1);
  return addMonths(first, months - (date.getUTCMonth() % months));
}

/**
 * The midnight at the end of the first such day on or after the points were earned, `value` years later. A day that the
 * month does not have becomes its last day: 29 February is 28 February in common years.
 */
function calendarDate(from: Date, { month = 12, day = 31, value = 0 }: ExpiryTerms, timezone: string): Date {
  const earned = startOfDay(wallTime(from, timezone));
  const years = dayIn(earned, 0, month, day) < earned ? value + 1 : value;
  return instantOf(dayIn(earned, years, month, day) + dayMs, timezone);
}

/** The given month and day, in the year that is `years` years after the year of another day. */
function dayIn(other: WallTime, years: number, month: number, day: number): WallTime {
  const date = new Date(other);
  date.setUTCFullYear(date.getUTCFullYear() + years, month, 0);
  return date.setUTCDate(Math.min(day, date.getUTCDate()));
}

function startOfDay(wall: WallTime): WallTime {
  return Math.floor(wall / dayMs) * dayMs;
}

/** Types of activities that keep a member active, once they are Processed. */
const activeTypes = ['Accrual', 'Redemption'];

/** Tells whether an activity of this type keeps its member active. */
export function isActivity(type: string): boolean {
  return activeTypes.includes(type);
}

/**
 * Restarts the inactivity period of all purses at a Processed Accrual or Redemption. No date becomes earlier.
 * @returns whether any date moved
 */
export function extendInactivity(ledger: Ledger, from: Date): boolean {
  const moved = ledger.purses().map(({ policyId }) => countFrom(ledger, policyId, from));
  return moved.includes(true);
}

/**
 * Sets the inactivity date of a purse when points join it, if it has none or its date is past for these points.
 * Otherwise the points would expire for a time in which they did not exist. A date in the future stays, even if the
 * points are dated after it: only an Accrual or a Redemption moves it.
 * @param at when the points joined the balance
 */
export function joinInactivity(ledger: Ledger, lot: Lot, at: Date): void {
  if (!lot.expiresByInactivity) return;
  const inactiveOn = ledger.inactiveOn(lot.purse);
  const isPast = inactiveOn !== undefined && inactiveOn <= at && inactiveOn <= ledger.now;
  if (!inactiveOn || isPast) countFrom(ledger, lot.purse, at);
}

function countFrom(ledger: Ledger, purse: ObjectId, from: Date): boolean {
  const { inactivity } = ledger.purse(purse);
  return !!inactivity && ledger.moveInactiveOn(purse, inactivityDate(from, inactivity, ledger.timezone));
}
