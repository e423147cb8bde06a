import { strict as assert } from 'node:assert';
import { IANAZone } from 'luxon';

/**
 * What a clock on the wall shows: milliseconds that, read as UTC, have its date and time. Arithmetic on it knows no
 * summer time.
 */
export type WallTime = number;

/** Milliseconds of a day on the wall. */
export const dayMs = 86_400_000;

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

/** A point in time on the clock and calendar of a time zone. */
export interface LocalTime {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
  /** Sunday 0. */
  weekday: number;
  hour: number;
  minute: number;
}

/** What clock and calendar show at a point in time in an IANA time zone. */
export function localTime(at: Date, timezone: string): LocalTime {
  const shown = new Date(wallTime(at, timezone));
  return {
    year: shown.getUTCFullYear(),
    month: shown.getUTCMonth() + 1,
    day: shown.getUTCDate(),
    weekday: shown.getUTCDay(),
    hour: shown.getUTCHours(),
    minute: shown.getUTCMinutes(),
  };
}

/** Units of a length of time in the calendar of a program's time zone. */
export const termUnits = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const;

type TermUnit = (typeof termUnits)[number];

/**
 * A point in time some units later. Minutes and hours are exact; days and longer keep the local time of day, and a day
 * that the month does not have becomes its last.
 */
export function addTerm(from: Date, value: number, unit: TermUnit, timezone: string): Date {
  if (unit === 'minute') return new Date(from.getTime() + value * 60_000);
  if (unit === 'hour') return new Date(from.getTime() + value * 3_600_000);
  return instantOf(additions[unit](wallTime(from, timezone), value), timezone);
}

const additions: Record<'day' | 'week' | 'month' | 'year', (wall: WallTime, value: number) => WallTime> = {
  day: (wall, days) => wall + days * dayMs,
  week: (wall, weeks) => wall + 7 * weeks * dayMs,
  month: addMonths,
  year: (wall, years) => addMonths(wall, 12 * years),
};

/** The same day and time some months later; the last day of a month that does not have that day. */
export function addMonths(wall: WallTime, months: number): WallTime {
  const date = new Date(wall);
  const day = date.getUTCDate();
  // The day after the month's last is day 0 of the next: setting a day too large would run over.
  date.setUTCMonth(date.getUTCMonth() + months + 1, 0);
  return date.setUTCDate(Math.min(day, date.getUTCDate()));
}

/** What the clocks of an IANA time zone show at a point in time. */
export function wallTime(at: Date, timezone: string): WallTime {
  return at.getTime() + offsetMs(at.getTime(), timezone);
}

/**
 * The point in time at which clocks of a zone show this. When they show it twice (a fold), the earlier; when they never
 * do (a gap), it moves forward by the length of the gap.
 */
export function instantOf(wall: WallTime, timezone: string): Date {
  // Clocks are at most 14 hours off, so a day to either side lies before and after any change of the clocks here.
  const before = wall - offsetMs(wall - dayMs, timezone);
  const after = wall - offsetMs(wall + dayMs, timezone);
  if (before === after) return new Date(before);
  const shown = [Math.min(before, after), Math.max(before, after)].find((at) => at + offsetMs(at, timezone) === wall);
  return new Date(shown ?? before);
}

/** A zone, and its offset on each day (UTC, counted from 1970) it was asked about; absent when it changes that day. */
interface KnownZone {
  zone: IANAZone;
  offsets: Map<number, number | undefined>;
}

const zones = new Map<string, KnownZone>();

/** Days whose offset is kept for a zone; 27 years of them. */
const daysKept = 10_000;

/** Asking a zone costs more than all else that an award does, so the offset of a whole day is kept. */
function offsetMs(at: number, timezone: string): number {
  const { zone, offsets } = zoneOf(timezone);
  const day = Math.floor(at / dayMs);
  if (!offsets.has(day)) {
    if (offsets.size >= daysKept) offsets.clear();
    const first = zoneOffsetMs(zone, day * dayMs);
    offsets.set(day, first === zoneOffsetMs(zone, (day + 1) * dayMs) ? first : undefined);
  }
  return offsets.get(day) ?? zoneOffsetMs(zone, at);
}

/** Zones were off by odd seconds before they had a law, and luxon counts in minutes. */
function zoneOffsetMs(zone: IANAZone, at: number): number {
  return Math.round(zone.offset(at) * 60_000);
}

function zoneOf(timezone: string): KnownZone {
  const known = zones.get(timezone);
  if (known) return known;
  const zone = IANAZone.create(timezone);
  assert(zone.isValid, `there is a time zone ${timezone}`);
  const added = { zone, offsets: new Map() };
  zones.set(timezone, added);
  return added;
}
