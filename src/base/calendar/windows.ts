import { dayMs, hourMs } from '#base/common/durations';
import { addMonths, dayOn, type LocalDay, localDay, toInstant } from './localCalendar';

/** Units of rolling windows. */
export const rollingUnits = ['hour', 'day', 'week', 'month'] as const;

export type RollingUnit = (typeof rollingUnits)[number];

/**
 * The last so many units up to a date. `{last: 7, unit: 'day'}` has the day of the date and the six days before it;
 * weeks are seven days each; months begin on the day after the same day of an earlier month. Hours are exact: they end
 * at the date itself and begin after the instant that lies so many hours earlier.
 */
export type RollingWindow = HourWindow | DaysWindow;

/** A rolling window of hours. */
export interface HourWindow {
  readonly last: number;
  readonly unit: 'hour';
}

/** A rolling window of whole days. */
export interface DaysWindow {
  readonly last: number;
  readonly unit: Exclude<RollingUnit, 'hour'>;
}

/** The member's own year: it begins on each anniversary of its enrolment, or of when it reached its present level. */
export interface MemberYear {
  readonly year: 'enrolment' | { readonly tier: string };
}

/** The days from one date to another, both included: YYYY-MM-DD in the program's time zone. */
export interface BetweenDates {
  readonly from: string;
  readonly to: string;
}

/** A window of time that is no period of the calendar. */
export type TimeWindow = RollingWindow | MemberYear | BetweenDates;

/** The days of a window, both ends included. */
export interface DaySpan {
  readonly first: LocalDay;
  readonly last: LocalDay;
}

/** The days of a rolling window of days, weeks or months that ends on a day. */
export function rollingDays({ last, unit }: DaysWindow, day: LocalDay): DaySpan {
  if (unit === 'month') return { first: daysLater(monthsLater(day, -last), 1), last: day };
  return { first: daysLater(day, 1 - last * (unit === 'week' ? 7 : 1)), last: day };
}

/** The instant after which a rolling window of hours begins; the window ends at `date`, which it contains. */
export function hoursBefore(hours: number, date: Date): Date {
  return new Date(date.getTime() - hours * hourMs);
}

/**
 * The year of a member that contains a day: from an anniversary of `start` to the day before the next one. An
 * anniversary of 29 February is 28 February in years without that day. Years also repeat before `start`.
 */
export function yearFrom(start: LocalDay, day: LocalDay): DaySpan {
  let years = day.getUTCFullYear() - start.getUTCFullYear();
  if (monthsLater(start, 12 * years) > day) years -= 1;
  return { first: monthsLater(start, 12 * years), last: daysLater(monthsLater(start, 12 * (years + 1)), -1) };
}

/** The days between two dates. */
export function daysBetween({ from, to }: BetweenDates): DaySpan {
  return { first: dayOfText(from), last: dayOfText(to) };
}

/** Tells whether a day is in a span of days. */
export function isInSpan({ first, last }: DaySpan, day: LocalDay): boolean {
  return first.getTime() <= day.getTime() && day.getTime() <= last.getTime();
}

const dayPattern = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Tells whether a string names a day that exists: YYYY-MM-DD. */
export function isDayText(text: string): boolean {
  const parts = dayPattern.exec(text);
  return parts !== null && textOfDay(dayOfText(text)) === text;
}

/** The day that a string names: YYYY-MM-DD. The string must pass {@link isDayText}. */
export function dayOfText(text: string): LocalDay {
  const [, year, month, day] = dayPattern.exec(text) ?? [];
  return dayOn(Number(year), Number(month), Number(day));
}

/** A day as a string: YYYY-MM-DD. */
export function textOfDay(day: LocalDay): string {
  return day.toISOString().slice(0, 10);
}

/** The instant at which a day begins in an IANA time zone. */
export function startOfDay(day: LocalDay, timezone: string): Date {
  return toInstant(day.getTime(), timezone);
}

/** How many days `to` is after `from`; negative when it is before. */
export function daysFromTo(from: LocalDay, to: LocalDay): number {
  return (to.getTime() - from.getTime()) / dayMs;
}

/** The day some days later. */
export function daysLater(day: LocalDay, days: number): LocalDay {
  return midnightLabel(day.getTime() + days * dayMs);
}

function monthsLater(day: LocalDay, months: number): LocalDay {
  return midnightLabel(addMonths(day.getTime(), months));
}

/** The day that this midnight UTC stands for. */
function midnightLabel(midnight: number): LocalDay {
  return localDay(new Date(midnight), 'UTC');
}

/** Tells whether a window is counted by hours, so that its days do not suffice. */
export function isHours(window: TimeWindow): window is HourWindow {
  return 'unit' in window && window.unit === 'hour';
}

/** What the days of a window depend on. */
export interface WindowBasis {
  /** The date of the activity. */
  readonly date: Date;
  /** IANA time zone of the program. */
  readonly timezone: string;
  readonly enrolledAt: Date | undefined;
  /** When the member reached its present level under the tier policy with this name. */
  tierSince(policy: string): Date | undefined;
}

/** The days of a window; undefined for the year of a member that has no such beginning. */
export function windowDays(window: Exclude<TimeWindow, HourWindow>, basis: WindowBasis): DaySpan | undefined {
  if ('from' in window) return daysBetween(window);
  const day = localDay(basis.date, basis.timezone);
  if ('last' in window) return rollingDays(window, day);
  const { year } = window;
  const start = year === 'enrolment' ? basis.enrolledAt : basis.tierSince(year.tier);
  return start && yearFrom(localDay(start, basis.timezone), day);
}
