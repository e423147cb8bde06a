import { strict as assert } from 'node:assert';
import type { Zone } from 'luxon';
import { dayMs, hourMs } from '#base/common/durations';
import { zoneOfRecord } from './timezones';

/**
 * A local date and time, as a clock on the wall shows it. The number is the milliseconds since 1970 of the same date
 * and time in UTC. Arithmetic on it ignores daylight saving time.
 */
export type WallTime = number;

declare const mark: unique symbol;

/**
 * A day of a local calendar, stored as the midnight UTC of the same date. It is a label, not a point in time. A day of
 * 23 or 25 hours is one day. Only this file makes values of this type, so the compiler rejects an instant in its place.
 */
export type LocalDay = Date & { readonly [mark]: true };

/** The local day at a point in time in an IANA time zone. */
export function localDay(at: Date, timezone: string): LocalDay {
  return labelled(new Date(Math.floor(wallTime(at, timezone) / dayMs) * dayMs));
}

/** The local day with this year, month and day; months count from 1. */
export function dayOn(year: number, month: number, day: number): LocalDay {
  const midnight = new Date(0);
  // The Date constructor reads years below 100 as years of the 20th century.
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

/** A point in time as the clock and the calendar of a time zone show it. */
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

/** The local time at a point in time in an IANA time zone. */
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

/** Units of durations in the calendar of a program's time zone. */
export const termUnits = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const;

/** A unit of durations. */
export type TermUnit = (typeof termUnits)[number];

/**
 * The point in time some units later. Minutes and hours are exact. Days and longer units keep the local time of day; a
 * day that the month does not have becomes the last day of the month.
 */
export function addTerm(from: Date, value: number, unit: TermUnit, timezone: string): Date {
  if (unit === 'minute') return new Date(from.getTime() + value * 60_000);
  if (unit === 'hour') return new Date(from.getTime() + value * hourMs);
  return toInstant(additions[unit](wallTime(from, timezone), value), timezone);
}

/** Terms that follow one another, by their length and the instant at which the first one begins. */
export interface FollowingTerms {
  value: number;
  unit: Exclude<TermUnit, 'minute' | 'hour'>;
  first: Date;
}

/**
 * The end of the term after the one that ends at `end`. It has the day of the month and the time of day at which the first
 * term began, also where a month without that day, or a change of the clocks, moved `end`. Undefined: no term ends then.
 */
export function nextTermEnd(end: Date, { first, ...term }: FollowingTerms, timezone: string): Date | undefined {
  const began = wallTime(first, timezone);
  // A change of the clocks moves an end by hours, also over midnight.
  const wall = began + Math.round((wallTime(end, timezone) - began) / dayMs) * dayMs;
  if (toInstant(wall, timezone).getTime() !== end.getTime()) return undefined;
  const next = nextWall(wall, began, { ...term, timezone });
  return next === undefined ? undefined : toInstant(next, timezone);
}

/** The day on which the term ends after the one that ends on a day, see {@link nextTermEnd}. */
export function nextTermDay(end: LocalDay, { first, ...term }: FollowingTerms, timezone: string): LocalDay | undefined {
  const next = nextWall(end.getTime(), localDay(first, timezone).getTime(), { ...term, timezone });
  return next === undefined ? undefined : labelled(new Date(next));
}

/** The length of terms, and the time zone in which they are counted. */
type CountedTerm = Omit<FollowingTerms, 'first'> & { timezone: string };

function nextWall(shown: WallTime, began: WallTime, term: CountedTerm): WallTime | undefined {
  const { value, unit, timezone } = term;
  const end = [shown, ...skippedBefore(shown, timezone)].find((wall) => isEndOfTerm(wall, began, term));
  if (unit === 'day' || unit === 'week') return additions[unit](end ?? shown, value);
  const day = new Date(began).getUTCDate();
  return end === undefined ? undefined : addMonths(end, unit === 'year' ? 12 * value : value, day);
}

/** The same time on the day before, when the clocks left out that day: a term that would end then ends a day later. */
function skippedBefore(wall: WallTime, timezone: string): WallTime[] {
  const before = wall - dayMs;
  return toInstant(before, timezone).getTime() === toInstant(wall, timezone).getTime() ? [before] : [];
}

function isEndOfTerm(wall: WallTime, began: WallTime, { value, unit }: CountedTerm): boolean {
  if (unit === 'day' || unit === 'week') return (wall - began) % additions[unit](0, value) === 0;
  return addMonths(wall, 0, new Date(began).getUTCDate()) === wall;
}

const additions: Record<'day' | 'week' | 'month' | 'year', (wall: WallTime, value: number) => WallTime> = {
  day: (wall, days) => wall + days * dayMs,
  week: (wall, weeks) => wall + 7 * weeks * dayMs,
  month: addMonths,
  year: (wall, years) => addMonths(wall, 12 * years),
};

/**
 * The same day and time some months later. A day that the month does not have becomes its last day.
 * @param day the day of the month to use; absent: that of `wall`
 */
export function addMonths(wall: WallTime, months: number, day = new Date(wall).getUTCDate()): WallTime {
  const date = new Date(wall);
  // Day 0 of the following month is the last day of the target month. A day too large would overflow into the next
  // month.
  date.setUTCMonth(date.getUTCMonth() + months + 1, 0);
  return date.setUTCDate(Math.min(day, date.getUTCDate()));
}

/** The wall time at a point in time in an IANA time zone. */
export function wallTime(at: Date, timezone: string): WallTime {
  return at.getTime() + offsetMs(at.getTime(), timezone);
}

/**
 * The point in time at which the clocks of a zone show this wall time. If they show it twice (a fold), the earlier one.
 * If they never show it (a gap), it moves forward by the length of the gap.
 */
export function toInstant(wall: WallTime, timezone: string): Date {
  // Offsets are at most 14 hours, so one day earlier and later are safely before and after a change of the clocks.
  const before = wall - offsetMs(wall - dayMs, timezone);
  const after = wall - offsetMs(wall + dayMs, timezone);
  if (before === after) return new Date(before);
  const shown = [Math.min(before, after), Math.max(before, after)].find((at) => at + offsetMs(at, timezone) === wall);
  return new Date(shown ?? before);
}

/** A zone and its cached offsets by day (UTC, counted from 1970); undefined for a day on which the offset changes. */
interface KnownZone {
  zone: Zone;
  offsets: Map<number, number | undefined>;
}

const zones = new Map<string, KnownZone>();

/** Most days whose offset is cached for a zone, about 27 years. */
const daysKept = 10_000;

/** Reading an offset from the zone is the most expensive part of an award, so the offset is cached for each day. */
function offsetMs(at: number, timezone: string): number {
  const { zone, offsets } = cachedZone(timezone);
  const day = Math.floor(at / dayMs);
  if (!offsets.has(day)) {
    if (offsets.size >= daysKept) offsets.clear();
    const first = zoneOffsetMs(zone, day * dayMs);
    offsets.set(day, first === zoneOffsetMs(zone, (day + 1) * dayMs) ? first : undefined);
  }
  return offsets.get(day) ?? zoneOffsetMs(zone, at);
}

/** Historical offsets have odd seconds, and luxon returns minutes with fractions. */
function zoneOffsetMs(zone: Zone, at: number): number {
  return Math.round(zone.offset(at) * 60_000);
}

function cachedZone(timezone: string): KnownZone {
  const known = zones.get(timezone);
  if (known) return known;
  const added = { zone: zoneOfRecord(timezone), offsets: new Map() };
  zones.set(timezone, added);
  return added;
}
