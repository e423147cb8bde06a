import { dayMs } from '#base/common/durations';
import { addMonths, addTerm, type TermUnit, toInstant, type WallTime, wallTime } from './localCalendar';

/** The periods that a term may be extended to the end of. */
export const snaps = ['endOfDay', 'endOfWeek', 'endOfMonth', 'endOfQuarter', 'endOfYear'] as const;

/** A snap, or none: the term ends at its own end. */
export const snapsOrNone = ['none', ...snaps] as const;

export type Snap = (typeof snaps)[number];

/**
 * The local midnight that ends the period of a date in an IANA time zone. A date that is such a midnight itself belongs
 * to the period that it begins.
 */
export function endOfPeriod(date: Date, snap: Snap, timezone: string): Date {
  return toInstant(periodEnds[snap](startOfLocalDay(wallTime(date, timezone))), timezone);
}

/** When a term from a date ends: at its own end, or with the period in which that is when the term has a snap. */
export function snappedEnd(
  from: Date,
  { value, unit, snap = 'none' }: { value: number; unit: TermUnit; snap?: Snap | 'none' },
  timezone: string,
): Date {
  const end = addTerm(from, value, unit, timezone);
  return snap === 'none' ? end : endOfPeriod(end, snap, timezone);
}

/**
 * The midnight at the end of the first such day on or after a date, or some years later. A day that the month does not
 * have becomes its last day: 29 February is 28 February in common years.
 */
export function endOfYearlyDay(
  from: Date,
  { month, day, yearsLater = 0 }: { month: number; day: number; yearsLater?: number },
  timezone: string,
): Date {
  const first = startOfLocalDay(wallTime(from, timezone));
  const years = dayIn(first, 0, month, day) < first ? yearsLater + 1 : yearsLater;
  return toInstant(dayIn(first, years, month, day) + dayMs, timezone);
}

/** The given month and day, in the year that is `years` years after the year of another day. */
function dayIn(other: WallTime, years: number, month: number, day: number): WallTime {
  const date = new Date(other);
  date.setUTCFullYear(date.getUTCFullYear() + years, month, 0);
  return date.setUTCDate(Math.min(day, date.getUTCDate()));
}

/** The midnight at which the day of a wall time begins. */
export function startOfLocalDay(wall: WallTime): WallTime {
  return Math.floor(wall / dayMs) * dayMs;
}

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
