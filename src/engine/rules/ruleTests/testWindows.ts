import { type LocalDay, localDay } from '#base/calendar/localCalendar';
import { hoursBefore, isHours, isInSpan, type TimeWindow, windowDays } from '#base/calendar/windows';
import { instantMs } from '../language/instantMs';

/** A date of a test, with what windows depend on. */
export interface WindowMoment {
  date: Date;
  timezone: string;
  /** The fact `member`. */
  member: Readonly<Record<string, unknown>>;
}

/** When a change of a metric counts. */
export interface TestChange {
  at: Date;
  day: LocalDay;
}

/** Tells which changes a window of a date contains. */
export function isInWindow(
  window: TimeWindow,
  { date, timezone, member }: WindowMoment,
): (change: TestChange) => boolean {
  if (isHours(window)) {
    const after = hoursBefore(window.last, date);
    return ({ at }) => at > after && at <= date;
  }
  const tierSince = (policy: string) => readDate(Object(member.tierSince)[policy]);
  const span = windowDays(window, { date, timezone, enrolledAt: readDate(member.enrolledAt), tierSince });
  return ({ day }) => span !== undefined && isInSpan(span, day);
}

/** A change at a date. */
export function changeOn(date: Date, timezone: string): TestChange {
  return { at: date, day: localDay(date, timezone) };
}

function readDate(value: unknown): Date | undefined {
  const ms = instantMs(value);
  return Number.isNaN(ms) ? undefined : new Date(ms);
}
