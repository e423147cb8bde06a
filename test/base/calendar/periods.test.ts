import { fc, test as property } from '@fast-check/jest';
import { dayOn, type LocalDay, localDay } from '#base/calendar/localCalendar';
import { calendarFields, periods } from '#base/calendar/periods';
import { drawn } from '../../support/scale';

const at = (text: string) => localDay(new Date(`${text}T12:34:56.789Z`), 'UTC');

describe('a day lies in', () => {
  // day, week, month, quarter, half, year
  test.each([
    ['2026-01-01', [1, 1, 1, 1, 1, 2026], 'a Thursday begins the year: week 1'],
    ['2026-01-03', [3, 1, 1, 1, 1, 2026], 'Saturday ends week 1'],
    ['2026-01-04', [4, 2, 1, 1, 1, 2026], 'Sunday begins week 2'],
    ['2026-03-31', [31, 14, 3, 1, 1, 2026], 'the end of a quarter'],
    ['2026-04-01', [1, 14, 4, 2, 1, 2026], 'the same week, the next quarter'],
    ['2026-06-30', [30, 27, 6, 2, 1, 2026], 'the end of a half'],
    ['2026-07-01', [1, 27, 7, 3, 2, 2026], 'the same week, the next half'],
    ['2026-12-31', [31, 53, 12, 4, 2, 2026], 'week 53'],
    ['2027-01-01', [1, 1, 1, 1, 1, 2027], 'a new year cuts the week'],
    ['2024-02-29', [29, 9, 2, 1, 1, 2024], 'a leap day'],
    ['2024-12-31', [31, 53, 12, 4, 2, 2024], 'the end of a leap year'],
    ['2023-01-01', [1, 1, 1, 1, 1, 2023], 'a Sunday begins the year'],
    ['2023-12-31', [31, 53, 12, 4, 2, 2023], 'a Sunday ends the year'],
    ['2000-01-01', [1, 1, 1, 1, 1, 2000], 'a leap year that begins on Saturday'],
    ['2000-12-31', [31, 54, 12, 4, 2, 2000], 'week 54'],
    ['1900-01-01', [1, 1, 1, 1, 1, 1900], 'the first year'],
    ['3999-12-31', [31, 53, 12, 4, 2, 3999], 'the last year'],
  ])('%s: %j (%s)', (date, [day, week, month, quarter, halfYear, year]) => {
    expect(calendarFields(at(date))).toEqual({ day, week, month, quarter, halfYear, year });
  });

  property.prop([fc.integer({ min: 1900, max: 3999 })])(
    'a day lies in exactly one week of its year, and weeks never go back',
    (year) => {
      const weeks: number[] = [];
      const meant: number[] = [];
      for (let date = dayOn(year, 1, 1); date.getUTCFullYear() === year; date = nextDay(date)) {
        const last = meant.at(-1);
        meant.push(last === undefined ? 1 : date.getUTCDay() === 0 ? last + 1 : last);
        weeks.push(calendarFields(date).week);
      }
      expect(weeks).toEqual(meant);
      expect([53, 54]).toContain(weeks.at(-1));
    },
  );
});

test('days with one key of a period share all fields of the period', () => {
  for (const { key, fields } of drawn(periods)) {
    const seen = new Map<string, string>();
    for (let date = dayOn(2024, 1, 1); date < new Date('2027-01-01'); date = nextDay(date)) {
      const calendar = calendarFields(date);
      const place = key.map((field) => calendar[field]).join();
      const carried = fields.map((field) => calendar[field]).join();
      expect(seen.get(place) ?? carried).toBe(carried);
      seen.set(place, carried);
    }
  }
});

function nextDay(date: LocalDay): LocalDay {
  return dayOn(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate() + 1);
}
