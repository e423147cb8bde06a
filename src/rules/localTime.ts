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
  const time = at.getTime();
  // Until 1972 there were zones whose minutes did not begin with those of UTC.
  if (!(time >= wholeMinutesFromMs)) return read(at, timezone);
  const minutes = memos.get(timezone) ?? new Map<number, LocalTime>();
  const minute = Math.floor(time / 60_000);
  const known = minutes.get(minute);
  if (known) return known;
  const local = Object.freeze(read(at, timezone));
  if (minutes.size >= memoMax) minutes.clear();
  minutes.set(minute, local);
  memos.set(timezone, minutes);
  return local;
}

/** Activities mostly are of the present minute, and asking Intl costs more than evaluating a hundred rules. */
const memos = new Map<string, Map<number, LocalTime>>();
const memoMax = 1000;
const wholeMinutesFromMs = Date.UTC(1973, 0, 1);

function read(at: Date, timezone: string): LocalTime {
  const { year, month, day, weekday, hour, minute } = DateTime.fromJSDate(at, { zone: timezone });
  return { year, month, day, weekday: weekday % 7, hour, minute };
}
