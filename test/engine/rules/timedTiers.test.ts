import { ObjectId } from 'bson';
import type { RuleReferences } from '#engine/rules/format/ruleReferences';
import { readRules } from '#engine/rules/read/readRules';

const levels = ['Silver', 'Gold'].map((name, n) => ({ name, number: n + 1 }));
const definitions: RuleReferences = {
  programs: [
    {
      _id: new ObjectId(),
      code: 'demo',
      timezone: 'America/New_York',
      purses: ['Points'],
      tiers: [{ name: 'Status', levels }],
      offers: [],
      rewards: [],
    },
  ],
  activityTypes: ['Accrual', 'Referral'],
  segments: [],
  metrics: [],
};

async function reported(rules: object[]): Promise<string[]> {
  const { errors, warnings } = await readRules([{ path: 'demo/a.json', text: JSON.stringify(rules) }], definitions);
  return [...errors, ...warnings].map(({ message }) => message);
}

const match = (time: object) => ({
  key: 'match',
  name: 'Status match',
  activityTypes: ['Referral'],
  actions: [{ type: 'setTier', policy: 'Status', level: 'Gold', ...time }],
});
const trips = {
  key: 'trips',
  name: 'Trips',
  activityTypes: ['Accrual'],
  actions: [{ type: 'addMetric', metric: 'trips', value: 1 }],
};
const days = { for: { value: 90, unit: 'day' } };
const keep = { metric: 'trips', atLeast: 3 };

describe('the time of a level is', () => {
  it.each<[object, string[]]>([
    [{ until: '2027-12-31' }, []],
    [{ for: { value: 0, unit: 'year', snap: 'endOfMemberYear' } }, []],
    [{ ...days, keep }, []],
    [{ ...days, until: '2027-12-31' }, ['a level has until (a day) or for (a time), not both']],
    [{ until: '9999-12-30' }, []],
    [{ until: '9999-12-31' }, ['must be 9999-12-30 or before']],
    [{ until: '2027-02-29' }, ['until must match format "date"']],
    [{ until: 'tomorrow' }, ['until must match format "date"']],
    [{ for: { value: 0, unit: 'day' } }, ['value 0 needs a snap, such as endOfYear']],
    [
      { for: { value: 1, unit: 'yaer' } },
      ['unit must be one of minute, hour, day, week, month, year (did you mean "year"?)'],
    ],
    [{ keep }, ['a challenge needs a time: until (a day) or for']],
    [{ ...days, keep: { ...keep, metric: 'tirps' } }, ['no rule counts the metric "tirps" (did you mean "trips"?)']],
    [{ ...days, keep: { ...keep, atLeast: 0 } }, ['atLeast must be >= 1']],
    [{ ...days, kep: keep }, ['unknown field "kep" (did you mean "keep"?)']],
  ])('%j', async (time, faults) => expect(await reported([match(time), trips])).toEqual(faults));
});

/** A rule that tells the level and what is missing, and tests of what it tells. */
const teller = (tests: object[]) => ({
  key: 'teller',
  name: 'Tells',
  activityTypes: ['Accrual'],
  priority: 5,
  tests,
  actions: [
    {
      type: 'setData',
      texts: { level: '{{level}}', missing: '{{missing}}' },
      with: {
        level: { fact: 'member', path: '$.tier.Status' },
        missing: { fact: 'member', path: '$.tierMissing.Status' },
      },
    },
  ],
});
const fired = { fired: ['match', 'trips', 'teller'] };
const trip = (date: string, level: string, missing = '') => ({
  type: 'Accrual',
  date,
  value: 1,
  expect: { data: { level, missing } },
});
const start = { type: 'Referral', date: '2026-11-20T12:00:00-05:00' };

describe('tests of rules', () => {
  it.each<[string, object, object[], object]>([
    [
      'days, to the millisecond',
      days,
      [start, trip('2027-02-18T11:59:59.999-05:00', 'Gold'), trip('2027-02-18T12:00:00-05:00', 'Silver')],
      { tier: { Status: 'Silver' } },
    ],
    [
      'a last day of the program',
      { until: '2028-02-29' },
      [start, trip('2028-02-29T23:59:59.999-05:00', 'Gold'), trip('2028-03-01T00:00:00-05:00', '')],
      {},
    ],
    [
      'a challenge that is met',
      { ...days, keep },
      [
        { type: 'Accrual', date: '2026-11-20T00:00:00-05:00' },
        start,
        trip('2026-12-20T12:00:00-05:00', 'Gold', '2'),
        trip('2026-12-21T12:00:00-05:00', 'Gold', '1'),
        trip('2027-12-21T12:00:00-05:00', 'Gold'),
      ],
      {},
    ],
    [
      'a challenge that is not met',
      { ...days, keep },
      [
        { type: 'Accrual', date: '2026-11-19T23:59:59-05:00' },
        start,
        trip('2026-12-20T12:00:00-05:00', 'Gold', '3'),
        trip('2026-12-21T12:00:00-05:00', 'Gold', '2'),
        trip('2027-12-21T12:00:00-05:00', ''),
      ],
      {},
    ],
  ])('see %s', async (_, time, activities, member) => {
    const tests = [{ name: 't', member, activities, expect: fired }];
    expect(await reported([match(time), trips, teller(tests)])).toEqual([]);
  });
});
