import { DateTime } from 'luxon';

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
  const { year, month, day, weekday, hour, minute } = DateTime.fromJSDate(at, { zone: timezone });
  return { year, month, day, weekday: weekday % 7, hour, minute };
}
