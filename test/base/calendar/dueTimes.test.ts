import { fc, test as property } from '@fast-check/jest';
import { type DayPattern, dueTimes, isYearDay, weekdays } from '#base/calendar/dueTimes';
import { dayOfText } from '#base/calendar/windows';
import { scaled } from '../../support/scale';

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Auckland', 'Asia/Kathmandu'];

/** What a wall clock of a zone shows at an instant, by ICU: no code of the service. */
function clockOf(timezone: string) {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  return (at: number) => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
    const { weekday = '', year, month, day, hour, minute } = parts;
    return { weekday, date: `${year}-${month}-${day}`, time: `${hour}:${minute}` };
  };
}

const daysIn = (date: string) => new Date(Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)), 0)).getUTCDate();

/** Whether a date is one of a pattern, as docs/design/occasions.md says. */
function isDateOf({ every, on }: DayPattern, { weekday, date }: { weekday: string; date: string }): boolean {
  const dayOfMonth = Number(date.slice(8));
  if (every === 'week') return weekday === on;
  if (every === 'month')
    return on === 'last' ? dayOfMonth === daysIn(date) : dayOfMonth === Math.min(Number(on), daysIn(date));
  if (every === 'year') {
    const isShort = on === '02-29' && date.slice(5, 7) === '02' && daysIn(date) === 28;
    return date.slice(5) === (isShort ? '02-28' : on);
  }
  return true;
}

/** Brute force: looks at the clock every minute. The first minute of a date at or after the time is due. */
function everyMinute(pattern: DayPattern, from: Date, until: Date, timezone: string): string[] {
  const clock = clockOf(timezone);
  const found = new Map<string, number>();
  const minute = 60_000;
  const start = Math.ceil((from.getTime() - 2 * 86_400_000) / minute) * minute;
  for (let at = start; at <= until.getTime(); at += minute) {
    const shown = clock(at);
    if (!found.has(shown.date) && shown.time >= pattern.at && isDateOf(pattern, shown)) found.set(shown.date, at);
  }
  return [...found.values()].filter((at) => at > from.getTime()).map((at) => new Date(at).toISOString());
}

const patterns = fc.oneof(
  fc.record({ every: fc.constant('day' as const) }),
  fc.record({ every: fc.constant('week' as const), on: fc.constantFrom(...weekdays) }),
  fc.record({
    every: fc.constant('month' as const),
    on: fc.oneof(fc.integer({ min: 1, max: 31 }), fc.constant('last')),
  }),
  fc.record({ every: fc.constant('year' as const), on: fc.constantFrom('02-28', '02-29', '03-29', '10-25', '12-31') }),
);

const twoDigits = (value: number) => String(value).padStart(2, '0');
const times = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((at) => at.map(twoDigits).join(':'));
const instants = fc.oneof(
  fc.date({ min: new Date('2024-01-01T00:00:00Z'), max: new Date('2029-12-31T00:00:00Z'), noInvalidDate: true }),
  // Around the changes of the clocks and around leap days.
  fc
    .constantFrom('2026-03-28', '2026-10-24', '2026-03-07', '2026-10-31', '2028-02-27', '2026-02-26')
    .map((day) => new Date(day)),
);

property.prop([patterns, times, instants, fc.integer({ min: 1, max: 4 * 1440 }), fc.constantFrom(...zones)], {
  numRuns: scaled(60),
})(
  'the times of a schedule are those that a look at the clock every minute finds',
  (days, at, from, minutes, timezone) => {
    const pattern = { ...days, at };
    const until = new Date(from.getTime() + minutes * 60_000);
    const due = dueTimes(pattern, from, until, timezone).map((each) => each.at.toISOString());
    const isShown = (each: string) => !isSkipped(each, pattern, timezone);
    expect(due.filter(isShown)).toEqual(everyMinute(pattern, from, until, timezone).filter(isShown));
  },
);

/**
 * A time that the clocks skip comes as much later as the gap is long, the look at the clock finds the end of the gap. In
 * these cases only the table below decides.
 */
function isSkipped(at: string, pattern: DayPattern, timezone: string): boolean {
  return clockOf(timezone)(Date.parse(at)).time !== pattern.at;
}

test.each<[string, DayPattern, string, string[]]>([
  [
    'a time that clocks show twice is the earlier one',
    { every: 'day', at: '02:30' },
    '2026-10-25',
    ['2026-10-25T00:30:00.000Z'],
  ],
  [
    'a time that clocks skip is later by the gap',
    { every: 'day', at: '02:30' },
    '2026-03-29',
    ['2026-03-29T01:30:00.000Z'],
  ],
  [
    'the 31st is the last day of a shorter month',
    { every: 'month', on: 31, at: '09:00' },
    '2026-02-28',
    ['2026-02-28T08:00:00.000Z'],
  ],
  [
    'the 31st is not found a day before the end of a shorter month',
    { every: 'month', on: 31, at: '09:00' },
    '2026-02-27',
    [],
  ],
  [
    'the last day of a month is found',
    { every: 'month', on: 'last', at: '09:00' },
    '2026-04-30',
    ['2026-04-30T07:00:00.000Z'],
  ],
  [
    '29 February is found in a leap year',
    { every: 'year', on: '02-29', at: '00:00' },
    '2028-02-29',
    ['2028-02-28T23:00:00.000Z'],
  ],
  [
    '29 February is the 28th in other years',
    { every: 'year', on: '02-29', at: '00:00' },
    '2026-02-28',
    ['2026-02-27T23:00:00.000Z'],
  ],
])('in Berlin, %s', (_name, pattern, day, expected) => {
  const from = new Date(Date.parse(day) - 2 * 3_600_000);
  const found = dueTimes(pattern, from, new Date(from.getTime() + 86_400_000 - 1), 'Europe/Berlin');
  expect(found.map(({ at }) => at.toISOString())).toEqual(expected);
});

test('times are later than the start and at most the end', () => {
  const noon = new Date('2026-05-05T12:00:00.000Z');
  const before = new Date(noon.getTime() - 1);
  const pattern: DayPattern = { every: 'day', at: '12:00' };
  expect(dueTimes(pattern, before, noon, 'UTC')).toHaveLength(1);
  expect(dueTimes(pattern, noon, new Date('2026-05-06T11:59:59.999Z'), 'UTC')).toEqual([]);
});

test.each<[string, string, boolean]>([
  ['02-29', '2028-02-29', true],
  ['02-29', '2028-02-28', false],
  ['02-29', '2026-02-28', true],
  ['02-29', '2100-02-28', true],
  ['02-28', '2028-02-28', true],
])('%s is celebrated on %s: %s', (monthDay, day, expected) => {
  expect(isYearDay(monthDay, dayOfText(day))).toBe(expected);
});
