import { type LocalDay, localDay } from '#base/calendar/localCalendar';
import { type MemberYear, type RollingWindow, rollingDays, yearFrom } from '#base/calendar/windows';
import { addDecimals } from '#base/common/addDecimals';
import { dayMs, hourMs } from '#base/common/durations';

/**
 * What one or more activities used of a limit with a window. `at` is the activity's date in milliseconds for a window of
 * hours, and the label of its local day for other windows. `till` is present when several uses were joined: they may
 * have occurred at any time from `at` to `till`.
 */
export interface WindowUse {
  at: number;
  till?: number;
  amount: number;
}

/** A window as a limit counts it: which spans of time it covers. */
export interface CountedWindow {
  /** The place of the activity in time, as in {@link WindowUse}. */
  at: number;
  /** The first place of the window that ends at a place, or of the year that contains it. */
  first(at: number): number;
  /** The last place of the window that begins first; the place itself for a rolling window. */
  last(at: number): number;
  /** No window is longer, in milliseconds. */
  length: number;
}

/** The window of an activity. `enrolledAt`: of the member; without it, its year begins on the day of the activity. */
export function countedWindow(
  window: RollingWindow | MemberYear,
  { date, timezone, enrolledAt = date }: { date: Date; timezone: string; enrolledAt?: Date | undefined },
): CountedWindow {
  if ('unit' in window && window.unit === 'hour') {
    const length = window.last * hourMs;
    // The instant that lies exactly so many hours earlier is outside.
    return { at: date.getTime(), first: (at) => at - length + 1, last: (at) => at, length };
  }
  const at = localDay(date, timezone).getTime();
  if ('year' in window) {
    const start = localDay(enrolledAt, timezone);
    const year = (place: number) => yearFrom(start, dayAt(place));
    const span = {
      first: (place: number) => year(place).first.getTime(),
      last: (place: number) => year(place).last.getTime(),
    };
    return { at, ...span, length: 366 * dayMs };
  }
  const { last, unit } = window;
  const first = (place: number) => rollingDays({ last, unit }, dayAt(place)).first.getTime();
  return { at, first, last: (place) => place, length: last * daysOf[unit] * dayMs };
}

const daysOf = { day: 1, week: 7, month: 31 } as const;

/** The day with this label. */
function dayAt(label: number): LocalDay {
  return localDay(new Date(label), 'UTC');
}

/**
 * The most that any window containing the activity has used. A late activity lies in the windows of those that were
 * processed before it, so their windows count as well as its own. No two of the uses may overlap.
 */
export function mostUsed({ at, first, last }: CountedWindow, uses: readonly WindowUse[]): number {
  const sorted = [...uses].sort((a, b) => a.at - b.at);
  const later = sorted.flatMap((use) => [use.at, use.till ?? use.at].filter((end) => end > at && first(end) <= at));
  let [most, sum, entered, left] = [0, 0, 0, 0];
  // Both ends of the windows only move forward, so each use enters the sum once and leaves it once.
  for (const end of [at, ...later]) {
    const [from, to] = [first(end), last(end)];
    for (let use = sorted[entered]; use && use.at <= to; use = sorted[entered]) {
      sum = addDecimals(sum, use.amount);
      entered += 1;
    }
    for (let use = sorted[left]; use && left < entered && (use.till ?? use.at) < from; use = sorted[left]) {
      sum = addDecimals(sum, -use.amount);
      left += 1;
    }
    most = Math.max(most, sum);
  }
  return most;
}

/** Most entries that a counter keeps for the length of one window. Beyond it, the uses closest together are joined. */
const usesMax = 1000;

/** Adds an amount at a place; a negative one takes it back. */
export function withUse(uses: readonly WindowUse[], at: number, amount: number): WindowUse[] {
  const known = uses.findIndex((use) => use.at <= at && at <= (use.till ?? use.at));
  if (known >= 0) {
    const changed = uses.map((use, index) =>
      index === known ? { ...use, amount: addDecimals(use.amount, amount) } : use,
    );
    return changed.filter((use) => use.amount > 0);
  }
  if (amount <= 0) return [...uses];
  const sorted = [...uses, { at, amount }].sort((a, b) => a.at - b.at);
  return sorted.length > usesMax ? joined(sorted) : sorted;
}

/** Joins the two neighbours with the least time between them. The result is as strict as before, or stricter. */
function joined(uses: readonly WindowUse[]): WindowUse[] {
  const spanOf = (index: number) => (uses[index + 1]?.till ?? uses[index + 1]?.at ?? Infinity) - (uses[index]?.at ?? 0);
  let closest = 0;
  for (let index = 1; index < uses.length - 1; index += 1) if (spanOf(index) < spanOf(closest)) closest = index;
  const [one, other] = [uses[closest], uses[closest + 1]];
  if (!one || !other) return [...uses];
  const both = { at: one.at, till: other.till ?? other.at, amount: addDecimals(one.amount, other.amount) };
  return [...uses.slice(0, closest), both, ...uses.slice(closest + 2)];
}
