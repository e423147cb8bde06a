import { strict as assert } from 'node:assert';
import { DateTime } from 'luxon';
import { addTerm, instantOf, valid, type WallTime, wallTime } from './localCalendar';
import type { ExpiryTerms } from './terms';

/**
 * When points that joined the balance at `from` expire, in the program's time zone (DESIGN 9); undefined when never, or
 * when the purse's inactivity decides.
 */
export function expiryDate(from: Date, terms: ExpiryTerms | undefined, timezone: string): Date | undefined {
  if (!terms || terms.type === 'none' || terms.type === 'inactivity') return undefined;
  return terms.type === 'rolling' ? rollingDate(from, terms, timezone) : calendarDate(from, terms, timezone);
}

function rollingDate(from: Date, { value, unit, snap = 'none' }: ExpiryTerms, timezone: string): Date {
  assert(value !== undefined && unit, 'Rolling expiry needs a value and a unit');
  const date = addTerm(from, value, unit, timezone);
  if (snap === 'none') return date;
  return instantOf(periodEnds[snap](valid(wallTime(date, timezone).startOf('day'))), timezone);
}

/** The local midnight that ends the period in which a day lies. Weeks begin on Sunday, so Saturday's midnight ends them. */
const periodEnds: Record<Exclude<NonNullable<ExpiryTerms['snap']>, 'none'>, (day: WallTime) => WallTime> = {
  endOfDay: (day) => valid(day.plus({ days: 1 })),
  endOfWeek: (day) => valid(day.plus({ days: 7 - (day.weekday % 7) })),
  endOfMonth: (day) => valid(day.startOf('month').plus({ months: 1 })),
  endOfQuarter: (day) => valid(day.startOf('quarter').plus({ months: 3 })),
  endOfYear: (day) => valid(day.startOf('year').plus({ years: 1 })),
};

/** The midnight that ends the first such day on or after earning, `value` years later. */
function calendarDate(from: Date, { month, day, value = 0 }: ExpiryTerms, timezone: string): Date {
  assert(month !== undefined && day !== undefined, 'Calendar expiry needs a month and a day');
  const earned = valid(wallTime(from, timezone).startOf('day'));
  const first = firstOnOrAfter(earned, month, day);
  return instantOf(valid(first.plus({ years: value }).plus({ days: 1 })), timezone);
}

/** Leap years are at most this far apart (1896 and 1904), so 29 February is found among them. */
const leapYearsApart = 8;

function firstOnOrAfter(earned: WallTime, month: number, day: number): WallTime {
  for (let year = earned.year; year <= earned.year + leapYearsApart; year += 1) {
    const candidate = DateTime.utc(year, month, day);
    if (candidate.isValid && candidate >= earned) return candidate;
  }
  throw new RangeError(`Month ${month} has no day ${day}`);
}
