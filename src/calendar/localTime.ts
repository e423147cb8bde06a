import { wallTime } from './localCalendar';

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
