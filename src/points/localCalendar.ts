import { DateTime, IANAZone } from 'luxon';
import type { TermUnit } from './terms';

const zones = new Map<string, IANAZone>();

/** A point in time on the calendar of a zone; zone objects are made once, which is most of the cost. */
export function inZone(date: Date, timezone: string): DateTime {
  let zone = zones.get(timezone);
  if (!zone) {
    zone = IANAZone.create(timezone);
    zones.set(timezone, zone);
  }
  return DateTime.fromJSDate(date, { zone });
}

/**
 * The instant of a local time. A time that a clock shows twice is the earlier of the two; one that it skips is as much
 * later as the clock jumps.
 */
export function earliest(local: DateTime): Date {
  const [first = local] = local.getPossibleOffsets().sort((a, b) => a.toMillis() - b.toMillis());
  return first.toJSDate();
}

/** A date some units later: minutes and hours are exact, days and longer keep the local time of day. */
export function addTerm(date: Date, value: number, unit: TermUnit, timezone: string): Date {
  const later = inZone(date, timezone).plus({ [unit]: value });
  return unit === 'minute' || unit === 'hour' ? later.toJSDate() : earliest(later);
}
