/** The period units that have an end. */
export const oracleUnits = ['day', 'week', 'month', 'quarter', 'halfYear', 'year'] as const;
export type OracleUnit = (typeof oracleUnits)[number];

/** The local date and time at an instant, as Intl gives it. */
export interface Wall {
  year: number;
  month: number;
  day: number;
  weekday: number;
  hour: number;
  minute: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Reads local time in a time zone. Shares no code with the service. */
export function wallOf(at: Date, timeZone: string): Wall {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      hourCycle: 'h23',
      weekday: 'short',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
  formats.set(timeZone, format);
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return {
    year: Number(parts.year),
    month: Number(parts.month),
    day: Number(parts.day),
    weekday: weekdays.indexOf(parts.weekday ?? ''),
    hour: Number(parts.hour),
    minute: Number(parts.minute),
  };
}

/** The period of an instant as a text, computed by counting days. */
export function oraclePeriod(unit: OracleUnit, at: Date, timeZone: string): string {
  const wall = wallOf(at, timeZone);
  const { year, month, day } = wall;
  const texts: Record<OracleUnit, () => string> = {
    day: () => `${year}/${month}/${day}`,
    week: () => `${year} week ${weekOf(wall)}`,
    month: () => `${year}/${month}`,
    quarter: () => `${year} quarter ${1 + Math.floor((month - 1) / 3)}`,
    halfYear: () => `${year} half ${month <= 6 ? 1 : 2}`,
    year: () => `${year}`,
  };
  return texts[unit]();
}

/** docs/design/aggregates.md: floor((dayOfYear − 1 + weekday of 1 January) / 7) + 1. */
export function weekOf({ year, month, day, weekday }: Wall): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  const dayOfYear = lengths.slice(0, month - 1).reduce((sum, length) => sum + length, day);
  const january1 = (((weekday - (dayOfYear - 1)) % 7) + 7) % 7;
  return Math.floor((dayOfYear - 1 + january1) / 7) + 1;
}
