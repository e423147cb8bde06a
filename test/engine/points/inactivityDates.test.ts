import { snappedEnd } from '#base/calendar/snaps';
import { expiryDate } from '#engine/points/ledger/expiry';
import { inactivityTerms } from '#engine/points/ledger/purses';
import type { InactivityTerms } from '#records/points/terms';

const months = (value: number): InactivityTerms => ({ value, unit: 'month' });
const newYork = 'America/New_York';

describe('the date of inactivity', () => {
  test.each<[string, string, InactivityTerms, string, string]>([
    ['keeps the time of day', '2025-01-10T09:30:00.250Z', months(6), 'UTC', '2025-07-10T09:30:00.250Z'],
    ['is the last day of a shorter month', '2025-01-31T12:00:00Z', months(1), 'UTC', '2025-02-28T12:00:00Z'],
    ['is 29 February in a leap year', '2024-01-31T12:00:00Z', months(1), 'UTC', '2024-02-29T12:00:00Z'],
    ['is a year after 29 February', '2024-02-29T12:00:00Z', { value: 1, unit: 'year' }, 'UTC', '2025-02-28T12:00:00Z'],
    ['goes by the clocks of the zone', '2025-01-15T12:00:00Z', months(6), newYork, '2025-07-15T11:00:00Z'],
    ['goes by the month of the zone', '2025-03-01T02:00:00Z', months(1), newYork, '2025-03-29T01:00:00Z'],
    ['is exact in hours', '2025-03-09T06:30:00Z', { value: 24, unit: 'hour' }, newYork, '2025-03-10T06:30:00Z'],
    [
      'is exact in days of the clock',
      '2025-03-09T06:30:00Z',
      { value: 1, unit: 'day' },
      newYork,
      '2025-03-10T05:30:00Z',
    ],
    [
      'snaps to a period',
      '2025-01-15T12:00:00Z',
      { ...months(2), snap: 'endOfMonth' },
      newYork,
      '2025-04-01T04:00:00Z',
    ],
  ])('%s', (_name, from, terms, zone, expected) => {
    expect(snappedEnd(new Date(from), terms, zone)).toEqual(new Date(expected));
  });

  test('is none for lots and for other terms', () => {
    const terms = { type: 'inactivity', value: 6, unit: 'month' } as const;
    expect(expiryDate(new Date('2025-01-01T00:00:00Z'), terms, 'UTC')).toBeUndefined();
    expect(inactivityTerms(terms)).toEqual(months(6));
    expect(inactivityTerms({ ...terms, type: 'rolling' })).toBeUndefined();
  });
});
