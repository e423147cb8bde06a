import { DateTime } from 'luxon';

/**
 * The date formats of SPEC "Accepted date formats" and of its sample (MM/DD/YYYY HH:mm:ss), with or without
 * milliseconds. The named groups are the parts of the date. `offset` is `Z`, `+HH:MM` or `+HHMM`; it is absent for a
 * local date.
 */
const patterns = [
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})T(?<hour>\d{2}):(?<minute>\d{2}):(?<second>\d{2})(?:\.(?<ms>\d\d\d))?(?<offset>Z|[+-]\d\d:\d\d|[+-]\d\d\d\d)?$/,
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2}) (?<hour>\d{2}):(?<minute>\d{2}):(?<second>\d{2})(?:\.(?<ms>\d\d\d))?$/,
  /^(?<month>\d{2})\/(?<day>\d{2})\/(?<year>\d{4}) (?<hour>\d{2}):(?<minute>\d{2}):(?<second>\d{2})$/,
];

/**
 * The same formats as one JSON Schema pattern, and the pattern of a plain day (YYYY-MM-DD), for the years 1900 to 9999.
 * They refuse days that do not exist.
 */
export const { instantPattern, dayPattern } = (() => {
  const year = '(19|[2-9]\\d)\\d{2}';
  const leapYear = '((19|[2-9]\\d)(0[48]|[2468][048]|[13579][26])|([2468][048]|[3579][26])00)';
  const dayOfYear = (separator: string) =>
    `((0[1-9]|1[0-2])${separator}(0[1-9]|1\\d|2[0-8])|(0[13-9]|1[0-2])${separator}(29|30)|(0[13578]|1[02])${separator}31)`;
  const time = '([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d';
  const zone = '(Z|[+-](0\\d|1[0-3]):?[0-5]\\d|[+-]14:?00)';
  const isoDate = `(${year}-${dayOfYear('-')}|${leapYear}-02-29)`;
  const usDate = `(${dayOfYear('/')}/${year}|02/29/${leapYear})`;
  return {
    instantPattern: `^(${isoDate}(T${time}(\\.\\d{3})?${zone}?| ${time}(\\.\\d{3})?)|${usDate} ${time})$`,
    dayPattern: `^${isoDate}$`,
  };
})();

const offsetMinutesMax = 14 * 60;

/**
 * Reads a date strictly: 30 February is refused and does not become 2 March.
 * @param localOffsetMinutes the offset from UTC of a date without an offset, in minutes
 * @returns undefined when the string is in no accepted format or names an impossible date
 */
export function parseInstant(value: string, localOffsetMinutes = 0): Date | undefined {
  for (const pattern of patterns) {
    const parts = pattern.exec(value)?.groups;
    if (parts) return fromParts(parts, localOffsetMinutes);
  }
  return undefined;
}

function fromParts(parts: Record<string, string>, localOffsetMinutes: number): Date | undefined {
  const offset = parts.offset === undefined ? localOffsetMinutes : offsetMinutes(parts.offset);
  if (offset === undefined) return undefined;
  const local = DateTime.fromObject(
    {
      year: Number(parts.year),
      month: Number(parts.month),
      day: Number(parts.day),
      hour: Number(parts.hour),
      minute: Number(parts.minute),
      second: Number(parts.second),
      millisecond: Number(parts.ms ?? 0),
    },
    { zone: 'utc' },
  );
  // Luxon accepts 24:00:00 as the next midnight; the formats here do not.
  if (!local.isValid || Number(parts.hour) > 23) return undefined;
  return local.minus({ minutes: offset }).toJSDate();
}

function offsetMinutes(offset: string): number | undefined {
  if (offset === 'Z') return 0;
  const digits = offset.replace(':', '');
  const hours = Number(digits.slice(1, 3));
  const minutes = Number(digits.slice(3, 5));
  const total = hours * 60 + minutes;
  if (minutes > 59 || total > offsetMinutesMax) return undefined;
  return digits.startsWith('-') ? -total : total;
}
