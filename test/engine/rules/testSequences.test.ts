import { ObjectId } from 'bson';
import type { RuleReferences } from '#engine/rules/format/ruleReferences';
import { readRules } from '#engine/rules/read/readRules';

const definitionsIn = (timezone: string): RuleReferences => ({
  programs: [{ _id: new ObjectId(), code: 'demo', timezone, purses: ['Points'], tiers: [], offers: [], rewards: [] }],
  activityTypes: ['Accrual', 'Redemption'],
  segments: ['VIP'],
  metrics: [],
});

/** A bonus when the member has spent 1,000 in a month, at most once a month. */
const bonus = {
  key: 'bonus',
  name: 'Bonus',
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
const spend = (date: string, value: number, expected?: object) => ({
  type: 'Accrual',
  date,
  value,
  ...(expected ? { expect: expected } : {}),
});

async function faults(rule: object, timezone = 'UTC'): Promise<string[]> {
  const text = JSON.stringify([rule]);
  const { errors } = await readRules([{ path: 'demo/a.json', text }], definitionsIn(timezone));
  return errors.map(({ message }) => message);
}
const tested = (test: object, more: object = bonus, timezone?: string) =>
  faults({ ...more, tests: [{ name: 't', ...test }] }, timezone);

describe('a test of several activities', () => {
  const paid = { points: { Points: 500 } };
  const nothing = { points: { Points: 0 }, notFired: ['bonus'] };

  it.each<[string, object[], number]>([
    [
      'America/New_York',
      [
        spend('2026-10-31T20:00:00-04:00', 1000, paid),
        spend('2026-10-31T23:59:59-04:00', 1000, nothing),
        spend('2026-11-01T00:00:00-04:00', 999, nothing),
        spend('2026-11-01T01:30:00-05:00', 1, paid),
      ],
      1000,
    ],
    [
      'Pacific/Auckland',
      [
        spend('2026-11-01T00:00:00+13:00', 600, nothing),
        spend('2026-11-01T14:00:00+13:00', 400, paid),
        spend('2026-11-30T23:59:59+13:00', 5000, nothing),
        spend('2026-12-01T00:00:00+13:00', 1000, paid),
      ],
      1000,
    ],
  ])('counts sums and limits by the months of %s', async (timezone, activities, points) => {
    expect(await tested({ activities, expect: { points: { Points: points } } }, bonus, timezone)).toEqual([]);
    const elsewhere = timezone === 'America/New_York' ? 'Pacific/Auckland' : 'America/New_York';
    expect(await tested({ activities, expect: { fired: ['bonus'] } }, bonus, elsewhere)).not.toEqual([]);
  });

  it('reports differences of all activities together, and of single ones', async () => {
    const activities = [spend('2026-05-01T12:00:00Z', 1000, nothing), spend('2026-05-02T12:00:00Z', 1000, paid)];
    expect(await tested({ activities, expect: { points: { Points: 1000 }, notFired: ['bonus'] } })).toEqual([
      'test "t" fails: expected 1000 Points, got 500; "bonus" fired; activities[0]: expected 0 Points, got 500; ' +
        'activities[0]: "bonus" fired; activities[1]: expected 500 Points, got 0',
    ]);
  });

  it('keeps the extension fields that a rule set on the member, and not those of an activity', async () => {
    const first = (fact: string) => ({
      ...bonus,
      limits: [],
      conditions: { all: [{ fact, path: '$.ext.seen', operator: 'isEmpty', value: true }] },
      actions: [
        { type: 'addPoints', purse: 'Points', points: 500 },
        { type: 'setExt', on: fact, values: { seen: true } },
      ],
    });
    const [one, two] = ['2026-05-01T12:00:00Z', '2026-05-02T12:00:00Z'];
    const once = [spend(one, 1, paid), spend(two, 1, nothing)];
    expect(await tested({ activities: once, expect: { fired: ['bonus'] } }, first('member'))).toEqual([]);
    const always = [spend(one, 1, paid), spend(two, 1, paid)];
    expect(await tested({ activities: always, expect: { fired: ['bonus'] } }, first('activity'))).toEqual([]);
  });

  it('uses its initial sums for the periods of the first activity', async () => {
    const activities = [spend('2026-05-31T12:00:00Z', 1), spend('2026-06-01T12:00:00Z', 1)];
    const aggregates = { spend: { month: 998 } };
    expect(await tested({ activities, aggregates, expect: { notFired: ['bonus'] } })).toEqual([]);
    const more = [spend('2026-05-30T12:00:00Z', 1), ...activities];
    expect(await tested({ activities: more, aggregates, expect: { points: { Points: 500 } } })).toEqual([]);
  });

  it.each<[string, object, object[], number]>([
    [
      'the last 2 days',
      { last: 2, unit: 'day' },
      [spend('2026-05-01T12:00:00Z', 600), spend('2026-05-02T23:59:00Z', 399), spend('2026-05-03T00:01:00Z', 601)],
      1,
    ],
    [
      'the last 24 hours',
      { last: 24, unit: 'hour' },
      [spend('2026-05-01T12:00:00Z', 600), spend('2026-05-02T12:00:00Z', 900), spend('2026-05-03T11:59:59Z', 100)],
      1,
    ],
    [
      "the member's own year",
      { year: 'enrolment' },
      [spend('2026-05-13T12:00:00Z', 999), spend('2026-05-14T00:00:00Z', 999), spend('2027-05-13T23:59:00Z', 1)],
      1,
    ],
    [
      'days between two dates, whatever the date of the activity',
      { from: '2026-05-02', to: '2026-05-03' },
      [spend('2026-05-01T23:59:00Z', 5000), spend('2026-05-03T23:59:00Z', 1000), spend('2026-06-01T00:00:00Z', 1)],
      2,
    ],
  ])('counts the window of %s', async (_, period, activities, times) => {
    const inWindow = {
      ...bonus,
      limits: [],
      conditions: { all: [{ ...bonus.conditions.all[0], params: { metric: 'spend', period } }] },
    };
    const member = { enrolledAt: '2024-05-14T12:00:00Z' };
    const test = { activities, member, expect: { points: { Points: 500 * times } } };
    expect(await tested(test, inWindow)).toEqual([]);
  });

  it('counts crossed thresholds, also by its sums of single days', async () => {
    const crossing = {
      ...bonus,
      limits: [],
      conditions: { all: [] },
      actions: [
        {
          type: 'addPoints',
          purse: 'Points',
          points: {
            of: { fact: 'crossed', params: { metric: 'visits', period: { last: 7, unit: 'day' }, every: 5 } },
            times: 100,
          },
        },
      ],
    };
    const activities = ['2026-05-06T12:00:00Z', '2026-05-07T12:00:00Z', '2026-05-08T12:00:00Z'].map((date) =>
      spend(date, 1),
    );
    const aggregates = { visits: { days: { '2026-04-29': 9, '2026-05-01': 3 } } };
    expect(await tested({ activities, aggregates, expect: { points: { Points: 100 } } }, crossing)).toEqual([]);
    const wrong = { visits: { days: { '2026-02-30': 9 } } };
    expect(await tested({ activities, aggregates: wrong, expect: { notFired: ['bonus'] } }, crossing)).not.toEqual([]);
  });

  it('carries over balances, first activities, segments, budgets, ended metrics and dates', async () => {
    const act = (actions: object[], more: object = {}) => ({
      ...bonus,
      conditions: { all: [] },
      limits: [],
      actions,
      ...more,
    });
    const first = { all: [{ fact: 'isFirstActivity', operator: 'equal', value: true }] };
    const ten = { type: 'addPoints', purse: 'Points', points: 10 };
    const two = [spend('2026-05-01T12:00:00Z', 1), { type: 'Accrual', value: 1 }];
    const points = (value: number) => ({ expect: { points: { Points: value } } });
    expect(await tested({ activities: two, ...points(10) }, act([ten], { conditions: first }))).toEqual([]);
    expect(await tested({ activities: two, ...points(15) }, act([ten], { budget: { points: 15 } }))).toEqual([]);
    const join = [ten, { type: 'addSegment', segment: 'VIP' }];
    const isVip = { fact: 'member', path: '$.segments', operator: 'contains', value: 'VIP' };
    expect(await tested({ activities: two, ...points(10) }, act(join, { conditions: { not: isVip } }))).toEqual([]);
    const poor = { all: [{ fact: 'member', path: '$.purse.Points.availBalance', operator: 'lessThan', value: 10 }] };
    expect(await tested({ activities: two, ...points(10) }, act([ten], { conditions: poor }))).toEqual([]);
    const daily = { what: 'points', per: 'member', period: 'day', max: 15, onExceed: 'reduce' };
    expect(await tested({ activities: two, ...points(15) }, act([ten], { limits: [daily] }))).toEqual([]);

    const stamps = { fact: 'aggregate', params: { metric: 'stamps', period: 'lifetime' } };
    const stamp = { type: 'addMetric', metric: 'stamps', value: 1, expires: { value: 1, unit: 'month' } };
    const actual = { type: 'addPoints', purse: 'Points', points: { of: stamps, times: 1 } };
    const seen = ['2026-05-01', '2026-05-20', '2026-06-02'].map((day, index) =>
      spend(`${day}T12:00:00Z`, 1, { points: { Points: [0, 1, 0][index] } }),
    );
    expect(await tested({ activities: seen, ...points(1) }, act([stamp, actual]))).toEqual([]);
  });

  it('keeps nothing of a failing activity, and may expect the failure', async () => {
    const limited = { ...bonus, limits: [{ ...bonus.limits[0], onExceed: 'reject' }] };
    const activities = [
      spend('2026-05-01T12:00:00Z', 1000, paid),
      spend('2026-05-02T12:00:00Z', 1000, { error: 2110 }),
      spend('2026-06-01T12:00:00Z', 1000, paid),
    ];
    expect(await tested({ activities, expect: { points: { Points: 1000 } } }, limited)).toEqual([]);
    expect(await tested({ activities, expect: { error: 2110 } }, limited)).toEqual([]);
    const [one, two] = activities.map(({ expect: _expected, ...each }) => each);
    expect(await tested({ activities: [one, two], expect: { points: { Points: 500 } } }, limited)).toEqual([
      'test "t" fails: unexpected error 2110 A limit of rule bonus is used up',
    ]);
  });
});

describe('a test of several activities is refused with', () => {
  const one = { activity: { type: 'Accrual' } };
  const several = { activities: [{ type: 'Accrual' }] };
  const fired = { expect: { fired: ['bonus'] } };

  it.each<[string, object, string | RegExp]>([
    ['no activity at all', fired, 'a test needs "activity", several in "activities", or "steps"'],
    [
      'both "activity" and "activities"',
      { ...one, ...several, ...fired },
      'a test has either "activity" or "activities"',
    ],
    ['an empty list of activities', { activities: [], ...fired }, /activities must NOT have fewer than 1 items/],
    [
      'an unknown field of an activity',
      { activities: [{ type: 'Accrual', valu: 1 }], ...fired },
      'unknown field "valu" (did you mean "value"?)',
    ],
    ['an activity without a type', { activities: [{ value: 1 }], ...fired }, /type/],
    [
      'an unknown purse',
      { activities: [{ type: 'Accrual', expect: { points: { Pionts: 1 } } }], ...fired },
      'unknown purse "Pionts" (did you mean "Points"?)',
    ],
    [
      'an unknown expectation',
      { activities: [{ type: 'Accrual', expect: { fird: [] } }], ...fired },
      'unknown field "fird" (did you mean "fired"?)',
    ],
    [
      'an unknown rule',
      { activities: [{ type: 'Accrual', expect: { notFired: ['bonsu'] } }], ...fired },
      'test "t" fails: no rule has the key "bonsu"',
    ],
  ])('%s', async (_, test, message) => {
    const found = await tested(test);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(message);
  });

  it('a fault at the line and column of the activity', async () => {
    const activities = [
      { type: 'Accrual', value: 1 },
      { type: 'Accrual', valu: 1 },
    ];
    const text = JSON.stringify({ ...bonus, tests: [{ name: 't', activities, ...fired }] }, null, 1);
    const { errors } = await readRules([{ path: 'demo/a.json', text }], definitionsIn('UTC'));
    const line = text.split('\n').findIndex((each) => each.includes('valu"')) + 1;
    expect(errors).toMatchObject([{ file: 'demo/a.json', line, column: 6 }]);
  });
});
