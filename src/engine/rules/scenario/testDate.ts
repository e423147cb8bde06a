import { dayOfText, isDayText, startOfDay } from '#base/calendar/windows';
import { instantMs } from '../language/instantMs';

/** The instant of a date in a test. A plain day is its midnight in the time zone. Undefined for anything else. */
export function testDate(value: unknown, timezone: string): Date | undefined {
  if (typeof value === 'string' && isDayText(value)) return startOfDay(dayOfText(value), timezone);
  const ms = instantMs(value);
  return Number.isNaN(ms) ? undefined : new Date(ms);
}
