import { fc, test as property } from '@fast-check/jest';
import { ObjectId } from 'bson';
import { localDay, localTime } from '#base/calendar/localCalendar';
import { calendarFields, periodKey, periodStart } from '#base/calendar/periods';
import type { Limit } from '#engine/rules/format/limitShape';
import { counterKeys } from '#engine/rules/format/limits';
import { activity, rule } from '../../engine/rules/builders';
import { scaled } from '../../support/scale';
import { oraclePeriod, oracleUnits, wallOf, weekOf } from './calendarOracle';

/** Zones far east and west, with half and quarter hours, with half an hour of summer time, and with a skipped day. */
const oddZones = [
  'America/New_York',
  'Pacific/Auckland',
  'Pacific/Kiritimati',
  'Pacific/Apia',
  'Pacific/Pago_Pago',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Pacific/Chatham',
  'UTC',
];
const zones = fc.oneof(fc.constantFrom(...oddZones), fc.constantFrom(...Intl.supportedValuesOf('timeZone')));

const hourMs = 3_600_000;
const moments = fc.date({ min: new Date('1900-01-02'), max: new Date('2090-01-01'), noInvalidDate: true });
/** Times near the ends of months, where an error of hours changes the period. */
const edges = fc
  .tuple(fc.integer({ min: 1965, max: 2040 }), fc.nat(11), fc.integer({ min: -15 * hourMs, max: 15 * hourMs }))
  .map(([year, month, off]) => new Date(Date.UTC(year, month, 1) + off));
const instants = fc.oneof(edges, moments);

property.prop([zones, instants], { numRuns: scaled(2000) })(
  'a local day is the day of a wall calendar at that place',
  (zone, at) => {
    const wall = wallOf(at, zone);
    const { year, month, day } = wall;
    const label = localDay(at, zone);
    expect([label.getUTCFullYear(), label.getUTCMonth() + 1, label.getUTCDate()]).toEqual([year, month, day]);
    expect(label.toISOString()).toMatch(/T00:00:00\.000Z$/);
    expect(calendarFields(label)).toEqual({
      year,
      month,
      day,
      week: weekOf(wall),
      quarter: Math.ceil(month / 3),
      halfYear: month < 7 ? 1 : 2,
    });
    expect(localTime(at, zone)).toEqual(wall);
  },
);

const memberId = new ObjectId();

/** The counters of a limit for each period, with their keys. */
function ours(at: Date, timezone: string): Record<string, string[]> {
  const day = localDay(at, timezone);
  return Object.fromEntries(
    oracleUnits.map((unit) => [unit, [periodKey(unit, day), periodStart(unit, day).toISOString(), counter(unit)]]),
  );

  function counter(unit: (typeof oracleUnits)[number]): string {
    if (unit === 'halfYear') return 'limits have none';
    const limits: Limit[] = [{ what: 'times', per: 'member', period: unit, max: 1, onExceed: 'skip' }];
    const [key] = counterKeys(rule({ limits }), activity({ date: at }), { memberId, program: { timezone } });
    return String(key?.id);
  }
}

const apart = fc.oneof(fc.integer({ min: 0, max: 30 * hourMs }), fc.integer({ min: 0, max: 800 * 24 * hourMs }));

property.prop([zones, instants, apart], { numRuns: scaled(2000) })(
  'two moments share the key of a period exactly when a wall calendar puts them in one period',
  (zone, at, ms) => {
    const later = new Date(at.getTime() + ms);
    const [one, other] = [ours(at, zone), ours(later, zone)];
    for (const unit of oracleUnits) {
      const isSame = oraclePeriod(unit, at, zone) === oraclePeriod(unit, later, zone);
      const shared = one[unit]?.map((key, index) => key === other[unit]?.[index] || key === 'limits have none');
      expect(shared).toEqual([isSame, isSame, isSame || unit === 'halfYear']);
    }
  },
);

test.each([
  ['Pacific/Apia', '2011-12-30T09:59:59.999Z', '2011-12-29', 'the last moment before the day that never was'],
  ['Pacific/Apia', '2011-12-30T10:00:00.000Z', '2011-12-31', 'the moment after it'],
  ['America/New_York', '2026-03-08T04:59:59.999Z', '2026-03-07', 'before a day of 23 hours'],
  ['America/New_York', '2026-03-09T03:59:59.999Z', '2026-03-08', 'its end'],
  ['America/New_York', '2026-11-02T04:59:59.999Z', '2026-11-01', 'the end of a day of 25 hours'],
  ['Pacific/Kiritimati', '2026-01-31T10:00:00.000Z', '2026-02-01', 'fourteen hours ahead'],
  ['Pacific/Pago_Pago', '2026-02-01T10:59:59.999Z', '2026-01-31', 'eleven behind'],
  ['Asia/Kolkata', '2026-01-31T18:30:00.000Z', '2026-02-01', 'half an hour'],
])('in %s, %s is on the day %s: %s', (zone, at, day) => {
  expect(localDay(new Date(at), zone).toISOString()).toBe(`${day}T00:00:00.000Z`);
});

test('finding a day and its period costs a small part of asking Intl', () => {
  const all = Array.from({ length: 4000 }, (_, n) => new Date(Date.UTC(2026, 0, 1) + n * 97_000));
  const costOf = (find: (at: Date) => unknown) => {
    all.map(find);
    const { user } = process.cpuUsage();
    for (let turn = 0; turn < 3; turn += 1) all.map(find);
    return process.cpuUsage().user - user;
  };
  const ours = costOf((at) => periodKey('month', localDay(at, 'America/New_York')));
  // Measured: a tenth or less.
  expect(ours).toBeLessThan(costOf((at) => wallOf(at, 'America/New_York')) / 2);
});
