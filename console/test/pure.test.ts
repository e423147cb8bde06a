import fc from 'fast-check';
import { timezones } from '../../src/base/calendar/timezones';
import { changesOf, isSame, tidy, withoutEmpty } from '../src/api/changes';
import { argumentOf, operatorOf } from '../src/definitions/list/filterText';
import { addDays, periodOf } from '../src/overview/period';
import { serviceZone } from '../src/time/serviceZone';
import { dateTimeIn, fromInputText, toInputText } from '../src/time/zones';

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia'];

test('the console offers the names of zones that the service stores', () => {
  const offered = Intl.supportedValuesOf('timeZone').map(serviceZone);
  // Newer than the list of the service, which old versions of Node.js know too.
  expect(offered.filter((name) => !timezones.includes(name) && name !== 'America/Coyhaique')).toEqual([]);
});

describe('times in a zone', () => {
  test.each([
    ['Europe/Berlin', '2026-07-01T12:30', '2026-07-01T10:30:00.000Z'],
    ['Europe/Berlin', '2026-01-01T00:00', '2025-12-31T23:00:00.000Z'],
    // Clocks are set back at 3:00: of two moments the earlier one.
    ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
    // Clocks skip from 2:00 to 3:00.
    ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
    ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30:00.000Z'],
    ['Asia/Kolkata', '2026-05-05T05:30', '2026-05-05T00:00:00.000Z'],
  ])('%s %s is %s', (zone, text, moment) => {
    expect(fromInputText(text, zone)).toBe(moment);
  });

  test('reads no time from a text that is none', () => {
    for (const text of ['', 'soon', '2026-13-01T00:00']) expect(fromInputText(text, 'UTC')).toBeUndefined();
  });

  test('every text of an instant is read as this instant, or as the same clock time an hour before', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), fc.constantFrom(...zones), (minutes, zone) => {
        const moment = minutes * 60_000;
        const text = toInputText(moment, zone);
        const read = Date.parse(fromInputText(text, zone) ?? '');
        expect(toInputText(read, zone)).toBe(text);
        expect(moment - read).toBeGreaterThanOrEqual(0);
        expect(moment - read).toBeLessThanOrEqual(3_600_000);
      }),
    );
  });

  test('the text of a time names its zone, and an unknown zone is shown as UTC', () => {
    expect(dateTimeIn('Europe/Berlin', '2026-07-01T10:30:00Z', 'de')).toContain('MESZ');
    expect(dateTimeIn('Nowhere/At_All', '2026-07-01T10:30:00Z', 'en')).toContain('UTC');
  });
});

describe('the difference between a record and a form', () => {
  const record = {
    id: 'x',
    etag: '"1"',
    name: 'A',
    tags: ['a'],
    expiry: { type: 'none', value: null },
    note: undefined,
  };

  test.each([
    ['nothing', {}, {}],
    ['a text', { name: 'B' }, { name: 'B' }],
    ['a text that is cleared', { name: '' }, { name: null }],
    ['a list', { tags: ['a', 'b'] }, { tags: ['a', 'b'] }],
    ['an object that is switched off', { expiry: null }, { expiry: null }],
    ['an empty part of an object', { expiry: { value: '', type: 'none' } }, {}],
    ['an empty text that was not there', { note: '' }, {}],
    ['fields of the console', { id: 'y', etag: '"2"' }, {}],
    ['false', { isActive: false }, { isActive: false }],
  ])('%s', (_name, changed, expected) => {
    expect(changesOf(record, { ...record, ...changed })).toEqual(expected);
  });

  test('any record as it was read has no changes, and any two records differ in just the fields that differ', () => {
    const values = fc.jsonValue({ maxDepth: 3 });
    const records = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), values);
    fc.assert(
      fc.property(records, records, (before, after) => {
        expect(changesOf(before, structuredClone(before))).toEqual({});
        const changed = changesOf(before, after);
        const applied: Record<string, unknown> = { ...before, ...changed };
        for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
          expect(isSame(tidy(applied[name]), tidy(after[name]))).toBe(true);
        }
      }),
    );
  });

  test('a new record has no empty fields', () => {
    expect(withoutEmpty({ id: 'x', name: 'A', note: '', expiry: { value: null }, tags: [] })).toEqual({
      name: 'A',
      tags: [],
    });
  });
});

test('every filter that a form makes is read back as it was made', () => {
  const operators = fc.constantFrom('is', 'isNot', 'contains', 'above', 'from', 'below', 'upTo');
  const operand = fc.string({ minLength: 1 }).filter((text) => !/^[~<>=!]/.test(text));
  fc.assert(
    fc.property(operators, operand, (operator, text) => {
      expect(operatorOf(argumentOf(operator, text))).toEqual({ operator, operand: text });
    }),
  );
});

describe('the period of the overview', () => {
  const now = Date.parse('2026-11-24T03:00:00Z');
  const periodIn = (zone: string, query = '') => periodOf(new URLSearchParams(query), zone, now);

  test('is the last 30 days of the program, until now', () => {
    // It is still the day before in New York.
    expect(periodIn('America/New_York')).toEqual({
      fromDay: '2026-10-25',
      toDay: '2026-11-23',
      by: 'day',
      isUntilToday: true,
      from: '2026-10-25T04:00:00.000Z',
    });
  });

  test('ends with its last day, and has longer steps the longer it is', () => {
    const of = (from: string, to: string) => periodIn('Europe/Berlin', `from=${from}&to=${to}`);
    expect(of('2026-01-01', '2026-01-31')).toMatchObject({ to: '2026-01-31T23:00:00.000Z', by: 'day' });
    expect(of('2026-01-01', '2026-01-02').by).toBe('hour');
    expect(of('2025-01-01', '2026-01-01').by).toBe('week');
    expect(of('2020-01-01', '2026-01-01').by).toBe('month');
  });

  test('is the default for a text that is no day, and exchanges days in the wrong order', () => {
    expect(periodIn('UTC', 'from=yesterday&to=2026-99-99')).toEqual(periodIn('UTC'));
    expect(periodIn('UTC', 'from=2026-05-05&to=2026-05-01').fromDay).toBe('2026-05-01');
  });

  test('continues day after day over the end of a year and over clock changes', () => {
    expect([addDays('2026-12-31', 1), addDays('2026-03-29', 1), addDays('2024-03-01', -1)]).toEqual([
      '2027-01-01',
      '2026-03-30',
      '2024-02-29',
    ]);
  });
});
