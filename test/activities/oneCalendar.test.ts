import fc from 'fast-check';
import { collectionOf } from '#base/db/collections';
import { rollUp } from '#members/aggregates/rollUp/rollUp';
import { type Member, memberResource } from '#records/members/member';
import { oraclePeriod, oracleUnits, wallOf, weekOf } from '../members/aggregates/calendarOracle';
import { makeTierPolicy } from '../support/definitions';
import { drawn } from '../support/scale';
import { addWorld, openWorld, type World } from '../support/world';
import { type ActivityApi, activityApi } from './activityApi';

let host: World;
let world: World;
beforeAll(async () => {
  host = await openWorld({ rules: [] });
});
afterAll(() => host.close());

const always = { activityTypes: ['Accrual'], conditions: { all: [] } };

/** Awards as many points as the member had visits in the period, including the present one. */
const echoes = oracleUnits.map((unit) => {
  const of = { fact: 'aggregate', params: { metric: 'visits', period: unit } };
  return { ...always, key: unit, name: unit, actions: [{ type: 'addPoints', purse: unit, points: { of, times: 1 } }] };
});

/** Rules that fire at the first visit of a period. Limits have no half years. */
const limitUnits = oracleUnits.filter((unit) => unit !== 'halfYear');
const firsts = limitUnits.map((period) => ({
  ...always,
  key: `first-${period}`,
  name: period,
  actions: [{ type: 'log', message: 'first' }],
  limits: [{ what: 'times', per: 'member', period, max: 1, onExceed: 'skip' }],
}));

async function openCalendar(timezone: string): Promise<ActivityApi> {
  const policies = ['Points', ...oracleUnits].map((name) => ({ name }));
  world = await addWorld(host, { rules: [...echoes, ...firsts], policies, program: { timezone } });
  const levels = [{ name: 'Guest', number: 1, threshold: 1 }];
  for (const period of oracleUnits) {
    const fields = { name: period, levels, basis: { metric: 'visits', period } };
    await makeTierPolicy(world.services.db, world.author, world.program, fields);
  }
  return activityApi(world);
}

const zones = ['America/New_York', 'Pacific/Auckland', 'Pacific/Kiritimati', 'Pacific/Apia', 'Australia/Lord_Howe'];
const hourMs = 3_600_000;

/** Visits near the ends of months and years, a few hours apart, so that some share a period and some do not. */
const visits = fc
  .tuple(fc.integer({ min: 2009, max: 2025 }), fc.nat(11), fc.array(fc.nat(72 * 4), { minLength: 7, maxLength: 7 }))
  .map(([year, month, offs]) => {
    const from = Date.UTC(year, month, 1) - 36 * hourMs;
    return offs.map((off) => new Date(from + (off * hourMs) / 4)).sort((a, b) => a.getTime() - b.getTime());
  });

describe.each(drawn(zones))('in %s', (timezone) => {
  test('limits, the fact aggregate, tiers and stored aggregates follow the local calendar', async () => {
    const acting = await openCalendar(timezone);
    for (const dates of fc.sample(visits, { seed: zones.indexOf(timezone) + 1, numRuns: 2 })) {
      const member = await world.addMember();
      for (const [index, date] of dates.entries()) {
        const before = dates.slice(0, index);
        const counts = Object.fromEntries(
          oracleUnits.map((unit) => [unit, 1 + before.filter((each) => isSame(unit, each, date)).length]),
        );
        world.services.clock.set(date.toISOString());
        const id = await acting.processed('Accrual', member._id, { value: 1, date: date.toISOString() });
        const { ruleMatch } = await acting.history(id);
        expect({ at: date, facts: factsOf(ruleMatch) }).toEqual({ at: date, facts: counts });
        expect({ at: date, firsts: firstsOf(ruleMatch) }).toEqual({
          at: date,
          firsts: limitUnits.filter((unit) => counts[unit] === 1),
        });
        expect({ at: date, sums: await keptSumsOf(member) }).toEqual({ at: date, sums: counts });
      }
      await rollUp(world.services, { org: world.author.org, now: world.services.clock.now() });
      expect(await storedOf(member)).toEqual(storedBy(dates));
    }
  });

  function isSame(unit: (typeof oracleUnits)[number], one: Date, other: Date): boolean {
    return oraclePeriod(unit, one, timezone) === oraclePeriod(unit, other, timezone);
  }

  function storedBy(dates: readonly Date[]): Record<string, number> {
    const sums: Record<string, number> = {};
    for (const date of dates) {
      const wall = wallOf(date, timezone);
      const { year, month, day } = wall;
      const places: Record<string, string> = {
        dailyaggregates: `${year} ${month} ${day}`,
        weeklyaggregates: `${year} w${weekOf(wall)}`,
        monthlyaggregates: `${year} ${month}`,
        yearaggregates: `${year}`,
        quarterlyaggregates: `${year} q${Math.ceil(month / 3)}`,
        halfyearaggregates: `${year} h${Math.ceil(month / 6)}`,
      };
      for (const [path, place] of Object.entries(places)) {
        sums[`${path} ${place}`] = (sums[`${path} ${place}`] ?? 0) + 1;
      }
    }
    return sums;
  }
});

interface RuleMatch {
  key: string;
  granted: number;
  fired: boolean;
}

function factsOf(rows: RuleMatch[]): Record<string, number> {
  return Object.fromEntries(
    rows.filter(({ key }) => !key.startsWith('first-')).map(({ key, granted }) => [key, granted]),
  );
}

function firstsOf(rows: RuleMatch[]): string[] {
  return limitUnits.filter((unit) => rows.some(({ key, fired }) => key === `first-${unit}` && fired));
}

const placeOf = (period: string) => (oracleUnits as readonly string[]).indexOf(period);

/** The running totals of the present periods that the member stores for its tiers. */
async function keptSumsOf({ _id }: Member): Promise<Record<string, number>> {
  const stored = await collectionOf(world.services.db, memberResource).findOne({ _id });
  return Object.fromEntries(
    [...(stored?.keptSums ?? [])]
      .sort((a, b) => placeOf(a.period) - placeOf(b.period))
      .map(({ period, value }) => [period, value]),
  );
}

async function storedOf({ _id }: Member): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  const paths = ['daily', 'weekly', 'monthly', 'quarterly', 'halfyear', 'year'].map((name) => `${name}aggregates`);
  for (const path of paths) {
    const rows = await world.services.db.collection(path).find({ memberId: _id, metricName: 'visits' }).toArray();
    for (const { year, month, week, quarter, halfYear, day, metricAggValue } of rows) {
      const inYear: Record<string, string> = {
        dailyaggregates: ` ${month} ${day}`,
        weeklyaggregates: ` w${week}`,
        monthlyaggregates: ` ${month}`,
        quarterlyaggregates: ` q${quarter}`,
        halfyearaggregates: ` h${halfYear}`,
        yearaggregates: '',
      };
      sums[`${path} ${year}${inYear[path]}`] = metricAggValue;
    }
  }
  return sums;
}

const monthBonus = {
  key: 'month-bonus',
  name: 'A bonus once 1,000 is reached, once a month',
  activityTypes: ['Accrual'],
  conditions: {
    all: [
      {
        fact: 'aggregate',
        params: { metric: 'spend', period: 'month' },
        operator: 'greaterThanInclusive',
        value: 1000,
      },
    ],
  },
  actions: [{ type: 'addPoints', purse: 'Points', points: 500 }],
  limits: [{ what: 'times', per: 'member', period: 'month', max: 1, onExceed: 'skip' }],
};

/** Each purchase with its local time, its value, and whether it gets the bonus. */
type Purchase = readonly [date: string, value: number, isPaid: boolean];

test.each<[string, Purchase[]]>([
  [
    'America/New_York',
    [
      ['2026-10-31T20:00:00-04:00', 1000, true],
      // In UTC a new month had begun four hours before.
      ['2026-10-31T23:59:59-04:00', 1000, false],
      ['2026-11-01T00:00:00-04:00', 999, false],
      ['2026-11-01T01:30:00-04:00', 1, true],
      ['2026-11-01T01:30:00-05:00', 1000, false],
      ['2026-11-30T23:59:59-05:00', 1000, false],
      ['2026-12-01T00:00:00-05:00', 1000, true],
    ],
  ],
  [
    'Pacific/Auckland',
    [
      ['2026-11-01T00:00:00+13:00', 600, false],
      // In UTC the first purchase was in October, so the sum of November would not be reached.
      ['2026-11-01T14:00:00+13:00', 400, true],
      ['2026-11-30T23:59:59+13:00', 5000, false],
      ['2026-12-01T00:00:00+13:00', 999, false],
      ['2026-12-01T12:59:59+13:00', 1, true],
      ['2026-12-01T13:00:00+13:00', 1000, false],
      // A late activity that belongs to the month before.
      ['2026-11-30T23:59:59+13:00', 1000, false],
    ],
  ],
])('a monthly bonus for reaching 1,000 is paid once a local month in %s', async (timezone, purchases) => {
  world = await addWorld(host, { rules: [monthBonus], program: { timezone } });
  const acting = activityApi(world);
  world.services.clock.set('2026-12-24T12:00:00.000Z');
  const member = await world.addMember();
  const paid = [];
  for (const [date, value] of purchases) {
    const before = await acting.balance(member._id);
    await acting.processed('Accrual', member._id, { value, date: new Date(date).toISOString() });
    paid.push((await acting.balance(member._id)) - before);
    await rollUp(world.services, { org: world.author.org, now: world.services.clock.now() });
  }
  expect(paid).toEqual(purchases.map(([, , isPaid]) => (isPaid ? 500 : 0)));
});
