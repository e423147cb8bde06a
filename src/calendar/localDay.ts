import { strict as assert } from 'node:assert';
import { dayMs, wallTime } from './localCalendar';

declare const mark: unique symbol;

/**
 * A day of the calendar on the wall, as the midnight UTC of the same date: a label, not a point in time. A day of 23 or
 * 25 hours is one day. Only what this file makes is one, so an instant is never taken for a day.
 */
export type LocalDay = Date & { readonly [mark]: true };

/** The day that a calendar in an IANA time zone shows at a point in time. */
export function localDay(at: Date, timezone: string): LocalDay {
  return labelled(new Date(Math.floor(wallTime(at, timezone) / dayMs) * dayMs));
}

/** The day of a date; months count from 1. */
export function dayOn(year: number, month: number, day: number): LocalDay {
  const midnight = new Date(0);
  // The constructor takes years below 100 for those of the 20th century.
  midnight.setUTCFullYear(year, month - 1, day);
  return labelled(midnight);
}

function labelled(midnight: Date): LocalDay {
  assert(isMidnight(midnight), 'a day is labelled by a midnight UTC');
  return midnight;
}

function isMidnight(date: Date): date is LocalDay {
  return date.getTime() % dayMs === 0;
}
