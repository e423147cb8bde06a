import { dayMs } from '#base/common/durations';
import { addMonths, instantOf, type WallTime, wallTime } from './localCalendar';

/** The periods with whose end a term may end. */
export const snaps = ['endOfDay', 'endOfWeek', 'endOfMonth', 'endOfQuarter', 'endOfYear'] as const;

export type Snap = (typeof snaps)[number];

/**
 * The local midnight that ends the period of a date in an IANA time zone. A date that is such a midnight itself belongs
 * to the period that it begins.
 */
export function endOfPeriod(date: Date, snap: Snap, timezone: string): Date {
  return instantOf(periodEnds[snap](startOfLocalDay(wallTime(date, timezone))), timezone);
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
