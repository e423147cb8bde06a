import type { TSchema } from '@sinclair/typebox';
import { addTerm, localTime } from '#base/calendar/localCalendar';
import { isSameTimezone, otherTimezoneNames, timezoneNamed, timezones } from '#base/calendar/timezones';
import { record } from '#base/schema/atoms';
import { compileParse } from '#base/schema/parse';
import { locationFields } from '#records/catalog/locationFields';
import { share } from '../../support/scale';
import { timezoneOf } from '../../support/timezoneOracle';

const moments = ['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z'].map((text) => new Date(text));

/** Zones of the runtime that are newer than the oldest Node.js that the service runs on. */
const newer = ['America/Coyhaique'];

test('the list has exactly the names that this Node.js knows', () => {
  expect(timezones.length).toBeGreaterThan(440);
  for (const name of [...timezones, ...otherTimezoneNames()])
    expect(() => new Intl.DateTimeFormat('en', { timeZone: name })).not.toThrow();
  const unknown = Intl.supportedValuesOf('timeZone').filter((name) => timezoneNamed(name) === undefined);
  expect(unknown.filter((name) => !newer.includes(name))).toEqual([]);
});

test.each(share(timezones, 10))(
  '%s has one spelling, in any case, and shows what the clocks of the runtime show',
  (name) => {
    for (const typed of [name, name.toLowerCase(), name.toUpperCase()]) expect(timezoneNamed(typed)).toBe(name);
    for (const at of moments) expect(localTime(at, name)).toEqual(timezoneOf(at, name));
  },
);

test('every other name is stored as a name of the list with the same clocks', () => {
  const others = otherTimezoneNames();
  expect(others.length).toBeGreaterThan(140);
  for (const name of others) {
    const stored = timezoneNamed(name);
    expect(timezones).toContain(stored);
    for (const at of moments) expect([name, timezoneOf(at, name)]).toEqual([name, timezoneOf(at, String(stored))]);
  }
});

test.each([
  ['europe/berlin', 'Europe/Berlin'],
  ['US/Eastern', 'America/New_York'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Europe/Oslo', 'Europe/Oslo'],
  ['America/Indianapolis', 'America/Indiana/Indianapolis'],
  ['zulu', 'UTC'],
  ['utc', 'UTC'],
  ['etc/gmt-2', 'Etc/GMT-2'],
])('%s is stored as %s', (sent, stored) => {
  const parse = compileParse(record({ timezone: locationFields.timezone as TSchema }));
  expect(parse({ timezone: sent })).toEqual({ timezone: stored });
});

/** What some versions of Node.js, or of luxon, take for a zone. */
const refused = [
  '+02:00',
  '-05:30',
  '+0200',
  '+02',
  'UTC+2',
  'GMT+2',
  'utc+02:00',
  'local',
  'system',
  'default',
  'Z',
  'CEST',
  ' ',
  'Europe/Berlin ',
  ' Europe/Berlin',
  'Europe /Berlin',
  'Europe',
  'Europe/',
  'Berlin',
  'Factory',
  '',
  'null',
  'constructor',
  '__proto__',
  'Europe/Berlin\n',
  'posix/Europe/Berlin',
  'Europe/Berlın',
];

test.each(refused)('%j is no time zone', (sent) => {
  expect(timezoneNamed(sent)).toBeUndefined();
  const parse = compileParse(record({ timezone: locationFields.timezone as TSchema }));
  expect(() => parse({ timezone: sent })).toThrow('Validation Error');
});

test('a zone that an earlier version stored, as an offset or in lower case, has its clock and is compared by it', () => {
  const at = new Date('2026-07-01T12:00:00Z');
  const hours = (zone: string) => localTime(at, zone).hour * 60 + localTime(at, zone).minute;
  expect([hours('+02:00'), hours('-0330'), hours('+05:45'), hours('+02'), hours('+00:00')]).toEqual([
    14 * 60,
    8 * 60 + 30,
    17 * 60 + 45,
    14 * 60,
    12 * 60,
  ]);
  expect(addTerm(at, 1, 'day', '+05:45')).toEqual(new Date('2026-07-02T12:00:00Z'));
  expect(hours('europe/berlin')).toBe(14 * 60);
  expect(isSameTimezone('US/Eastern', 'America/New_York')).toBe(true);
  expect(isSameTimezone('+02:00', 'Etc/GMT-2')).toBe(true);
  expect(isSameTimezone('+02:00', 'Europe/Berlin')).toBe(false);
  expect(isSameTimezone('Mars/Base', 'Mars/Base')).toBe(true);
  expect(isSameTimezone('Mars/Base', 'Mars/Other')).toBe(false);
});

test('a stored text that is no zone throws an error that names it', () => {
  const output = {
    status: 422,
    details: { errors: [expect.objectContaining({ path: 'timezone', message: expect.stringContaining('Mars/Base') })] },
  };
  expect(() => localTime(new Date(), 'Mars/Base')).toThrow(expect.objectContaining(output));
});
