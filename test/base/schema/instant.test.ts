import { fc, test } from '@fast-check/jest';
import { instantPattern, parseInstant } from '#base/schema/instant';
import { scaled } from '../../support/scale';

const pattern = new RegExp(instantPattern);

const part = (max: number, length: number) => fc.nat(max).map((number) => String(number).padStart(length, '0'));
const year = fc.oneof(
  fc.integer({ min: 1900, max: 9999 }).map(String),
  fc.constantFrom('1900', '2000', '2024', '2100', '2400', '2900', '3200', '9600', '9996'),
);
const time = fc.tuple(part(24, 2), part(60, 2), part(60, 2)).map((parts) => parts.join(':'));
const offset = fc.tuple(fc.constantFrom('+', '-'), part(15, 2), fc.constantFrom(':', ''), part(60, 2));
const zone = fc.oneof(
  fc.constantFrom('', 'Z'),
  offset.map((parts) => parts.join('')),
);

const isoDate = fc
  .tuple(year, part(13, 2), part(32, 2), fc.constantFrom('T', ' '), time, fc.constantFrom('', '.123', '.1'), zone)
  .map(([y, month, day, separator, clock, ms, own]) => `${y}-${month}-${day}${separator}${clock}${ms}${own}`);
const usDate = fc
  .tuple(part(13, 2), part(32, 2), year, time)
  .map(([month, day, y, clock]) => `${month}/${day}/${y} ${clock}`);

test.prop([fc.oneof(isoDate, usDate)], { numRuns: scaled(2000) })(
  'the documented pattern accepts the dates from 1900 on that the service accepts, and no others',
  (date) => {
    expect({ date, isTaken: pattern.test(date) }).toEqual({ date, isTaken: parseInstant(date) !== undefined });
  },
);

test('the documented pattern accepts every day of the calendar and no other', () => {
  for (const y of [1900, 2000, 2023, 2024, 2100]) {
    for (const month of Array.from({ length: 12 }, (_, index) => index + 1)) {
      const days = new Date(Date.UTC(y, month, 0)).getUTCDate();
      const taken = Array.from({ length: 33 }, (_, day) => day).filter((day) =>
        pattern.test(`${y}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}T00:00:00Z`),
      );
      expect([y, month, taken.length, taken[0], taken.at(-1)]).toEqual([y, month, days, 1, days]);
    }
  }
});
