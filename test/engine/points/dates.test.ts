import assert from 'node:assert';
import fc from 'fast-check';
import { DateTime } from 'luxon';
import { addTerm, toInstant, wallTime } from '#base/calendar/localCalendar';
import { releaseDate } from '#engine/points/ledger/accrue';
import { expiryDate } from '#engine/points/ledger/expiry';
import type { ExpiryTerms } from '#records/points/expiry/expiryTerms';
import type { EscrowTerms } from '#records/points/terms';
import { scaled } from '../../support/scale';

const newYork = 'America/New_York';
const lordHowe = 'Australia/Lord_Howe';

describe('escrow ends', () => {
  const none: EscrowTerms = { type: 'none' };
  const lasting = (value: number, unit: NonNullable<EscrowTerms['unit']>): EscrowTerms => ({
    type: 'duration',
    value,
    unit,
  });

  test.each([
    ['at once without terms', '2025-03-01T12:00:00Z', undefined, 'UTC', '2025-03-01T12:00:00Z'],
    ['at once with type none', '2025-03-01T12:00:00Z', none, 'UTC', '2025-03-01T12:00:00Z'],
    ['at once after a duration of 0', '2025-03-01T12:00:00Z', lasting(0, 'day'), 'UTC', '2025-03-01T12:00:00Z'],
    ['after minutes of 60 seconds', '2025-03-01T12:00:00Z', lasting(90, 'minute'), 'UTC', '2025-03-01T13:30:00Z'],
    [
      'after exactly 24 hours when clocks go forward',
      '2025-03-08T17:00:00Z',
      lasting(24, 'hour'),
      newYork,
      '2025-03-09T17:00:00Z',
    ],
    [
      'after a day at the same local time when clocks go forward',
      '2025-03-08T17:00:00Z',
      lasting(1, 'day'),
      newYork,
      '2025-03-09T16:00:00Z',
    ],
    [
      'after a day at the same local time when clocks go back',
      '2025-11-01T16:00:00Z',
      lasting(1, 'day'),
      newYork,
      '2025-11-02T17:00:00Z',
    ],
    [
      'after the gap when clocks skip the time',
      '2025-03-08T07:30:00Z',
      lasting(1, 'day'),
      newYork,
      '2025-03-09T07:30:00Z',
    ],
    [
      'at the earlier of two equal times, from summer',
      '2025-11-01T05:30:00Z',
      lasting(1, 'day'),
      newYork,
      '2025-11-02T05:30:00Z',
    ],
    [
      'at the earlier of two equal times, from winter',
      '2024-11-04T06:30:00Z',
      lasting(363, 'day'),
      newYork,
      '2025-11-02T05:30:00Z',
    ],
    [
      'after a day when clocks change by half an hour',
      '2025-10-03T16:45:00Z',
      lasting(1, 'day'),
      lordHowe,
      '2025-10-04T16:15:00Z',
    ],
    [
      'after the gap when clocks skip half an hour',
      '2025-10-03T15:45:00Z',
      lasting(1, 'day'),
      lordHowe,
      '2025-10-04T15:45:00Z',
    ],
    [
      'a day later when the zone left out the day',
      '2011-12-29T20:00:00Z',
      lasting(1, 'day'),
      'Pacific/Apia',
      '2011-12-30T20:00:00Z',
    ],
    ['after weeks of seven days', '2025-03-01T12:00:00Z', lasting(2, 'week'), 'UTC', '2025-03-15T12:00:00Z'],
    [
      'on the last of February, a month after 31 January',
      '2025-01-31T12:00:00Z',
      lasting(1, 'month'),
      'UTC',
      '2025-02-28T12:00:00Z',
    ],
    [
      'on 29 February of a leap year, a month after 31 January',
      '2024-01-31T12:00:00Z',
      lasting(1, 'month'),
      'UTC',
      '2024-02-29T12:00:00Z',
    ],
    [
      'on 28 February, a year after 29 February',
      '2024-02-29T12:00:00Z',
      lasting(1, 'year'),
      'UTC',
      '2025-02-28T12:00:00Z',
    ],
    [
      'on 29 February, four years after 29 February',
      '2024-02-29T12:00:00Z',
      lasting(4, 'year'),
      'UTC',
      '2028-02-29T12:00:00Z',
    ],
    ['after a month of the zone', '2025-02-01T03:00:00Z', lasting(1, 'month'), newYork, '2025-03-01T03:00:00Z'],
    ['after the longest duration', '2025-03-01T12:00:00Z', lasting(3650, 'year'), 'UTC', '5675-03-01T12:00:00Z'],
  ] as const)('%s', (_name, date, terms, zone, expected) => {
    expect(releaseDate(new Date(date), terms, zone)).toEqual(new Date(expected));
  });
});

describe('rolling points expire', () => {
  const rolling = (value: number, unit: NonNullable<ExpiryTerms['unit']>, snap?: ExpiryTerms['snap']): ExpiryTerms => ({
    type: 'rolling',
    value,
    unit,
    ...(snap ? { snap } : {}),
  });

  test.each([
    ['at the local time of day', '2025-01-15T17:00:00Z', rolling(6, 'month'), newYork, '2025-07-15T16:00:00Z'],
    [
      'at the local time of day with snap none',
      '2025-01-15T17:00:00Z',
      rolling(6, 'month', 'none'),
      newYork,
      '2025-07-15T16:00:00Z',
    ],
    [
      'at the midnight that ends the day',
      '2025-01-15T17:00:00Z',
      rolling(1, 'day', 'endOfDay'),
      newYork,
      '2025-01-17T05:00:00Z',
    ],
    [
      'at the next midnight when earned at a local midnight',
      '2025-01-15T05:00:00Z',
      rolling(1, 'day', 'endOfDay'),
      newYork,
      '2025-01-17T05:00:00Z',
    ],
    [
      "at Saturday's midnight, from a Wednesday",
      '2025-01-08T12:00:00Z',
      rolling(1, 'week', 'endOfWeek'),
      'UTC',
      '2025-01-19T00:00:00Z',
    ],
    [
      "at Saturday's midnight, from a Saturday",
      '2025-01-18T23:59:59Z',
      rolling(7, 'day', 'endOfWeek'),
      'UTC',
      '2025-01-26T00:00:00Z',
    ],
    [
      "at Saturday's midnight, from a Sunday",
      '2025-01-19T00:00:00Z',
      rolling(7, 'day', 'endOfWeek'),
      'UTC',
      '2025-02-02T00:00:00Z',
    ],
    [
      'at the end of the month',
      '2025-01-31T12:00:00Z',
      rolling(1, 'month', 'endOfMonth'),
      'UTC',
      '2025-03-01T00:00:00Z',
    ],
    [
      'at the end of a leap February',
      '2024-01-31T12:00:00Z',
      rolling(1, 'month', 'endOfMonth'),
      'UTC',
      '2024-03-01T00:00:00Z',
    ],
    [
      'at the end of the quarter',
      '2025-01-31T12:00:00Z',
      rolling(3, 'month', 'endOfQuarter'),
      'UTC',
      '2025-07-01T00:00:00Z',
    ],
    [
      'at the end of the last quarter',
      '2025-12-31T12:00:00Z',
      rolling(1, 'minute', 'endOfQuarter'),
      'UTC',
      '2026-01-01T00:00:00Z',
    ],
    [
      'at the end of the year',
      '2025-05-05T12:00:00Z',
      rolling(1, 'year', 'endOfYear'),
      newYork,
      '2027-01-01T05:00:00Z',
    ],
    [
      'at the end of a 23-hour day',
      '2025-03-09T16:00:00Z',
      rolling(1, 'minute', 'endOfDay'),
      newYork,
      '2025-03-10T04:00:00Z',
    ],
    [
      'an hour later at a midnight that clocks skip',
      '2018-11-03T12:00:00Z',
      rolling(1, 'minute', 'endOfDay'),
      'America/Sao_Paulo',
      '2018-11-04T03:00:00Z',
    ],
    [
      'at midnight after a day whose midnight was skipped',
      '2018-11-04T12:00:00Z',
      rolling(1, 'minute', 'endOfDay'),
      'America/Sao_Paulo',
      '2018-11-05T02:00:00Z',
    ],
    [
      'after a day whose last hour comes twice',
      '2018-02-17T12:00:00Z',
      rolling(1, 'minute', 'endOfDay'),
      'America/Sao_Paulo',
      '2018-02-18T03:00:00Z',
    ],
    [
      'at the first of two midnights',
      '2025-11-01T12:00:00Z',
      rolling(1, 'minute', 'endOfDay'),
      'America/Havana',
      '2025-11-02T04:00:00Z',
    ],
    [
      'in a zone that is always ahead',
      '2025-01-31T11:00:00Z',
      rolling(1, 'minute', 'endOfMonth'),
      'Pacific/Kiritimati',
      '2025-02-28T10:00:00Z',
    ],
  ] as const)('%s', (_name, from, terms, zone, expected) => {
    expect(expiryDate(new Date(from), terms, zone)).toEqual(new Date(expected));
  });
});

describe('points expire at a day of the calendar', () => {
  const on = (month: number, day: number, value?: number): ExpiryTerms => ({
    type: 'calendar',
    month,
    day,
    ...(value === undefined ? {} : { value }),
  });

  test.each([
    ['at the midnight that ends it', '2025-05-10T12:00:00Z', on(12, 31), 'UTC', '2026-01-01T00:00:00Z'],
    ['on the day of the award when it is that day', '2025-12-31T23:59:59Z', on(12, 31), 'UTC', '2026-01-01T00:00:00Z'],
    ['in the next year when the day is past', '2025-07-01T00:00:00Z', on(6, 30), 'UTC', '2026-07-01T00:00:00Z'],
    ['years later', '2025-05-10T12:00:00Z', on(12, 31, 2), 'UTC', '2028-01-01T00:00:00Z'],
    ['by the day of the zone', '2025-07-01T03:00:00Z', on(6, 30), newYork, '2025-07-01T04:00:00Z'],
    ['on 29 February in a leap year', '2024-01-10T12:00:00Z', on(2, 29), 'UTC', '2024-03-01T00:00:00Z'],
    [
      'on 28 February instead of the 29th in a common year',
      '2025-01-10T12:00:00Z',
      on(2, 29),
      'UTC',
      '2025-03-01T00:00:00Z',
    ],
    ['on 28 February before the 29th', '2024-01-10T12:00:00Z', on(2, 28), 'UTC', '2024-02-29T00:00:00Z'],
    ['on 28 February a leap year later', '2027-01-10T12:00:00Z', on(2, 28, 1), 'UTC', '2028-02-29T00:00:00Z'],
  ] as const)('%s', (_name, from, terms, zone, expected) => {
    expect(expiryDate(new Date(from), terms, zone)).toEqual(new Date(expected));
  });
});

test.each([
  ['without terms', undefined],
  ['with type none', { type: 'none' }],
  ['by inactivity, which is a date of the purse', { type: 'inactivity', value: 6, unit: 'month' }],
] as const)('a lot has no expiry of its own %s', (_name, terms) => {
  expect(expiryDate(new Date('2025-01-01T00:00:00Z'), terms, 'UTC')).toBeUndefined();
});

describe('in any zone at any time,', () => {
  const zones = [
    'UTC',
    newYork,
    lordHowe,
    'America/St_Johns',
    'Asia/Kathmandu',
    'Africa/Casablanca',
    'Pacific/Chatham',
  ];
  const zone = fc.constantFrom(...zones);
  const at = fc.date({
    min: new Date('1990-01-01T00:00:00Z'),
    max: new Date('2040-01-01T00:00:00Z'),
    noInvalidDate: true,
  });

  test('clocks show what luxon says, at its time or an hour sooner when clocks show it twice', () => {
    fc.assert(
      fc.property(at, zone, (date, timezone) => {
        const wall = wallTime(date, timezone);
        const local = DateTime.fromJSDate(date, { zone: timezone });
        assert.strictEqual(wall, local.setZone('utc', { keepLocalTime: true }).toMillis());
        const shown = toInstant(wall, timezone);
        assert(shown <= date);
        assert.strictEqual(wallTime(shown, timezone), wall);
      }),
      { numRuns: scaled(200) },
    );
  });

  test('days, weeks, months and years are those of luxon, but for times that clocks show twice', () => {
    const unit = fc.constantFrom('day', 'week', 'month', 'year');
    fc.assert(
      fc.property(at, zone, fc.integer({ min: 1, max: 40 }), unit, (date, timezone, value, by) => {
        const expected = DateTime.fromJSDate(date, { zone: timezone }).plus({ [by]: value });
        const [earliest = expected] = expected.getPossibleOffsets().sort((a, b) => a.toMillis() - b.toMillis());
        assert.deepStrictEqual(addTerm(date, value, by, timezone), earliest.toJSDate());
      }),
      { numRuns: scaled(200) },
    );
  });
});
