import { dayMs } from '#base/common/durations';
import { addMonths, dayOn, type LocalDay, localDay, toInstant } from './localCalendar';
import { daysLater, textOfDay } from './windows';

/** Days of the week as rules name them, Sunday first. */
export const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

/**
 * The days of a schedule, and the time on them. `on` is a weekday, a day of the month or `last`, or a day of the year
 * (`MM-DD`). A day that a month does not have is its last day.
 */
export interface DayPattern {
  every: 'day' | 'week' | 'month' | 'year';
  on?: number | string | undefined;
  /** HH:mm. */
  at: string;
}

/** A local day of a schedule, and the instant at which it is due. */
export interface DueTime {
  day: LocalDay;
  at: Date;
}

/**
 * The times of a schedule after `from` and up to `until`, in their order. A time that the clocks skip is as much later;
 * one that they show twice is the earlier one.
 */
export function dueTimes(pattern: DayPattern, from: Date, until: Date, timezone: string): DueTime[] {
  const dues: DueTime[] = [];
  const last = daysLater(localDay(until, timezone), 1);
  for (let day = daysLater(localDay(from, timezone), -1); day <= last; day = daysLater(day, 1)) {
    if (!isOn(pattern, day)) continue;
    const at = toInstant(day.getTime() + minutesOfDay(pattern.at) * 60_000, timezone);
    if (at > from && at <= until) dues.push({ day, at });
  }
  return dues;
}

function isOn({ every, on }: DayPattern, day: LocalDay): boolean {
  if (every === 'day') return true;
  if (every === 'week') return weekdays[day.getUTCDay()] === on;
  const end = lastOfMonth(day);
  if (every === 'month') return day.getUTCDate() === (on === 'last' ? end : Math.min(Number(on), end));
  return isYearDay(String(on), day);
}

/** Tells whether a day is this day of the year (`MM-DD`). 29 February is 28 February in years without it. */
export function isYearDay(monthDay: string, day: LocalDay): boolean {
  const own = textOfDay(day).slice(5);
  return own === monthDay || (monthDay === '02-29' && own === '02-28' && lastOfMonth(day) === 28);
}

function lastOfMonth(day: LocalDay): number {
  const first = dayOn(day.getUTCFullYear(), day.getUTCMonth() + 1, 1).getTime();
  return new Date(addMonths(first, 1) - dayMs).getUTCDate();
}

/** The minutes of a day until a time such as `09:30`. */
export function minutesOfDay(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}
