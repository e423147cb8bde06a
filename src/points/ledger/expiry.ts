import type { ObjectId } from 'bson';
import { addMonths, addTerm, dayMs, instantOf, type WallTime, wallTime } from '../../calendar/localCalendar';
import type { Lot } from '../../records/points/lot';
import type { ExpiryTerms, InactivityTerms } from '../../records/points/terms';
import type { Ledger } from './ledger';

/**
 * When points that joined the balance at `from` expire, in the program's time zone; undefined when never, or
 * when the purse's inactivity decides.
 */
export function expiryDate(from: Date, terms: ExpiryTerms | undefined, timezone: string): Date | undefined {
  if (!terms || terms.type === 'none' || terms.type === 'inactivity') return undefined;
  return terms.type === 'rolling' ? rollingDate(from, terms, timezone) : calendarDate(from, terms, timezone);
}

/** The date at which points expire when their member does nothing from `from` on. */
export function inactivityDate(from: Date, terms: InactivityTerms, timezone: string): Date {
  return snapped(addTerm(from, terms.value, terms.unit, timezone), terms.snap, timezone);
}

/** Terms of a rule that lack value or unit never expire; policies with such are refused. */
function rollingDate(from: Date, { value, unit, snap }: ExpiryTerms, timezone: string): Date | undefined {
  if (value === undefined || !unit) return undefined;
  return snapped(addTerm(from, value, unit, timezone), snap, timezone);
}

function snapped(date: Date, snap: ExpiryTerms['snap'], timezone: string): Date {
  if (!snap || snap === 'none') return date;
  return instantOf(periodEnds[snap](startOfDay(wallTime(date, timezone))), timezone);
}

type Snap = Exclude<NonNullable<ExpiryTerms['snap']>, 'none'>;

/** The local midnight that ends the period in which a day lies. Weeks begin on Sunday, so Saturday's midnight ends them. */
const periodEnds: Record<Snap, (day: WallTime) => WallTime> = {
  endOfDay: (day) => day + dayMs,
  endOfWeek: (day) => day + (7 - new Date(day).getUTCDay()) * dayMs,
  endOfMonth: (day) => endOfMonths(day, 1),
  endOfQuarter: (day) => endOfMonths(day, 3),
  endOfYear: (day) => endOfMonths(day, 12),
};

/** The midnight that ends the period of so many months, counted from January, in which a day lies. */
function endOfMonths(day: WallTime, months: number): WallTime {
  const date = new Date(day);
  const first = date.setUTCDate(1);
  return addMonths(first, months - (date.getUTCMonth() % months));
}

/**
 * The midnight that ends the first such day on or after earning, `value` years later. In a month without that day it is
 * the month's last: 29 February is the 28th in common years.
 */
function calendarDate(from: Date, { month = 12, day = 31, value = 0 }: ExpiryTerms, timezone: string): Date {
  const earned = startOfDay(wallTime(from, timezone));
  const years = dayIn(earned, 0, month, day) < earned ? value + 1 : value;
  return instantOf(dayIn(earned, years, month, day) + dayMs, timezone);
}

/** A day of the year that comes some years after that of another day. */
function dayIn(other: WallTime, years: number, month: number, day: number): WallTime {
  const date = new Date(other);
  date.setUTCFullYear(date.getUTCFullYear() + years, month, 0);
  return date.setUTCDate(Math.min(day, date.getUTCDate()));
}

function startOfDay(wall: WallTime): WallTime {
  return Math.floor(wall / dayMs) * dayMs;
}

/** Activities that count as being active, once they are Processed. */
const activeTypes = ['Accrual', 'Redemption'];

/** Tells whether an activity of this type keeps its member active. */
export function isActivity(type: string): boolean {
  return activeTypes.includes(type);
}

/**
 * Counts the inactivity of all purses anew from a Processed Accrual or Redemption; no date becomes earlier.
 * @returns whether any date moved
 */
export function extendInactivity(ledger: Ledger, from: Date): boolean {
  const moved = ledger.purses().map(({ policyId }) => countFrom(ledger, policyId, from));
  return moved.includes(true);
}

/**
 * Points that join a purse which has no date yet, or whose date was before them, start a new one: nobody could have been
 * active for points that were not there. A date that is still ahead holds for points dated after it too: they are there
 * now, and only an Accrual or a Redemption moves it.
 * @param at when they joined the balance
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
