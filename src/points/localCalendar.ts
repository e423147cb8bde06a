import { strict as assert } from 'node:assert';
import { DateTime, IANAZone } from 'luxon';
import type { TermUnit } from './terms';

/** What a clock on the wall shows, as a luxon date in UTC: arithmetic on it knows no summer time. */
export type WallTime = DateTime<true>;

/**
 * A point in time some units later. Minutes and hours are exact; days and longer keep the local time of day, and a day
 * that the month does not have becomes its last.
 */
export function addTerm(from: Date, value: number, unit: TermUnit, timezone: string): Date {
  const ms = exactMs[unit];
  if (ms !== undefined) return new Date(from.getTime() + value * ms);
  return instantOf(valid(wallTime(from, timezone).plus({ [unit]: value })), timezone);
}

const exactMs: Partial<Record<TermUnit, number>> = { minute: 60_000, hour: 3_600_000 };

/** What the clocks of an IANA time zone show at a point in time. */
export function wallTime(at: Date, timezone: string): WallTime {
  const ms = at.getTime();
  return valid(DateTime.fromMillis(ms + offsetMs(zoneOf(timezone), ms), { zone: 'utc' }));
}

/**
 * The point in time at which clocks of a zone show this. When they show it twice (a fold), the earlier; when they never
 * do (a gap), it moves forward by the length of the gap.
 */
export function instantOf(wall: WallTime, timezone: string): Date {
  const zone = zoneOf(timezone);
  const ms = wall.toMillis();
  // Clocks are at most 14 hours off, so a day to either side lies before and after any change of the clocks here.
  const before = ms - offsetMs(zone, ms - dayMs);
  const after = ms - offsetMs(zone, ms + dayMs);
  const shown = [Math.min(before, after), Math.max(before, after)].find((at) => at + offsetMs(zone, at) === ms);
  return new Date(shown ?? before);
}

/** The wall time, which cannot be invalid here. */
export function valid(wall: DateTime): WallTime {
  assert(isValid(wall), 'A date is out of range');
  return wall;
}

function isValid(wall: DateTime): wall is WallTime {
  return wall.isValid;
}

const dayMs = 86_400_000;

const zones = new Map<string, IANAZone>();

/** Zone objects are kept: each holds a formatter that is costly to make. */
function zoneOf(timezone: string): IANAZone {
  const known = zones.get(timezone);
  if (known) return known;
  const zone = IANAZone.create(timezone);
  assert(zone.isValid, `No time zone ${timezone}`);
  zones.set(timezone, zone);
  return zone;
}

function offsetMs(zone: IANAZone, at: number): number {
  return zone.offset(at) * 60_000;
}
