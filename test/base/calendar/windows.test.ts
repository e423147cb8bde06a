import { fc, test as property } from '@fast-check/jest';
import { dayOn, type LocalDay } from '#base/calendar/localCalendar';
import {
  dayOfText,
  daysBetween,
  daysFromTo,
  daysLater,
  hoursBefore,
  isDayText,
  isInSpan,
  rollingDays,
  startOfDay,
  textOfDay,
  yearFrom,
} from '#base/calendar/windows';

const shown = ({ first, last }: { first: LocalDay; last: LocalDay }) => [textOfDay(first), textOfDay(last)];

describe('a rolling window', () => {
  test.each<[number, 'day' | 'week' | 'month', string, string, string]>([
    [1, 'day', '2026-10-15', '2026-10-15', 'only the day itself'],
    [7, 'day', '2026-10-15', '2026-10-09', 'the day and six before it'],
    [7, 'day', '2026-03-03', '2026-02-25', 'over the end of February'],
    [7, 'day', '2024-03-03', '2024-02-26', 'over a leap day'],
    [1, 'week', '2026-10-15', '2026-10-09', 'a week is seven days'],
    [2, 'week', '2026-01-05', '2025-12-23', 'over a new year'],
    [1, 'month', '2026-10-15', '2026-09-16', 'from the day after the same day of the month before'],
    [1, 'month', '2026-03-31', '2026-03-01', 'February has no 31st'],
    [1, 'month', '2024-03-31', '2024-03-01', 'nor in a leap year'],
    [1, 'month', '2026-05-31', '2026-05-01', 'April has 30 days'],
    [12, 'month', '2026-10-15', '2025-10-16', 'twelve months are a year'],
  ])('of %s %s up to %s begins on %s: %s', (last, unit, day, first, _) => {
    expect(shown(rollingDays({ last, unit }, dayOfText(day)))).toEqual([first, day]);
  });

  test('of hours begins after the instant that lies those hours earlier', () => {
    expect(hoursBefore(72, new Date('2026-03-30T10:00:00.500Z'))).toEqual(new Date('2026-03-27T10:00:00.500Z'));
  });
});

describe('the own year', () => {
  test.each([
    ['2024-05-10', '2026-05-09', '2025-05-10', '2026-05-09', 'the last day'],
    ['2024-05-10', '2026-05-10', '2026-05-10', '2027-05-09', 'the anniversary'],
    ['2024-05-10', '2024-05-10', '2024-05-10', '2025-05-09', 'the first day'],
    ['2024-05-10', '2024-05-09', '2023-05-10', '2024-05-09', 'before it began'],
    ['2024-02-29', '2025-02-27', '2024-02-29', '2025-02-27', 'a leap day: until 27 February'],
    ['2024-02-29', '2025-02-28', '2025-02-28', '2026-02-27', 'a leap day: from 28 February'],
    ['2024-02-29', '2028-02-28', '2027-02-28', '2028-02-28', 'a leap day: until 28 February of a leap year'],
  ])('from %s that contains %s is %s to %s: %s', (start, day, first, last) => {
    expect(shown(yearFrom(dayOfText(start), dayOfText(day)))).toEqual([first, last]);
  });

  const days = fc.date({ min: new Date('2000-01-01'), max: new Date('2060-01-01'), noInvalidDate: true });
  const label = (date: Date) => dayOn(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());

  property.prop([days, days])(
    'the own year contains its day, and the next one begins on the day after its end',
    (a, b) => {
      const [start, day] = [label(a), label(b)];
      const year = yearFrom(start, day);
      expect(isInSpan(year, day)).toBe(true);
      const next = yearFrom(start, daysLater(year.last, 1));
      expect(daysFromTo(year.last, next.first)).toBe(1);
      expect(yearFrom(start, year.first)).toEqual(year);
      expect(yearFrom(start, year.last)).toEqual(year);
      expect([364, 365]).toContain(daysFromTo(year.first, year.last));
    },
  );
});

test('a range of days between two dates includes both', () => {
  const span = daysBetween({ from: '2026-10-01', to: '2026-12-31' });
  const isIn = (text: string) => isInSpan(span, dayOfText(text));
  expect(['2026-09-30', '2026-10-01', '2026-12-31', '2027-01-01'].map(isIn)).toEqual([false, true, true, false]);
});

test.each([
  ['2026-02-28', true],
  ['2026-02-29', false],
  ['2024-02-29', true],
  ['2026-13-01', false],
  ['2026-1-1', false],
  ['2026-10-01T00:00:00Z', false],
])('%s is a day: %s', (text, is) => expect(isDayText(text)).toBe(is));

test('a day begins when the clocks of the zone show midnight, or first show it', () => {
  expect(startOfDay(dayOfText('2026-10-01'), 'America/New_York')).toEqual(new Date('2026-10-01T04:00:00Z'));
  expect(startOfDay(dayOfText('2026-12-01'), 'America/New_York')).toEqual(new Date('2026-12-01T05:00:00Z'));
  // Clocks in Beirut went from 23:59:59 to 1:00:00 on this day.
  expect(startOfDay(dayOfText('2022-03-27'), 'Asia/Beirut')).toEqual(new Date('2022-03-26T22:00:00Z'));
});
