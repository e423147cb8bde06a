import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readRules } from '#engine/rules/read/readRules';
import { demoRuleReferences } from '#operations/demo/demoRuleReferences';
import { faultsOf, scenarioDefinitions } from './scenarioDefinitions';

const earn = {
  key: 'earn',
  name: 'A point per unit',
  activityTypes: ['Accrual'],
  actions: [{ type: 'addPoints', purse: 'Points', points: { of: { fact: 'activity', path: '$.value' } } }],
};
const redeem = {
  key: 'redeem',
  name: 'Burn',
  activityTypes: ['Redemption'],
  actions: [{ type: 'redeemPoints', purse: 'Points', points: { of: { fact: 'activity', path: '$.value' } } }],
};
const accrual = (value: number, more: object = {}) => ({ activity: { type: 'Accrual', value, ...more } });
const burn = (value: number) => ({ activity: { type: 'Redemption', value } });
const tested = (rule: object, steps: object[], expected: object, definitions = scenarioDefinitions()) =>
  faultsOf([{ ...rule, tests: [{ name: 't', steps, expect: expected }] }, redeem], definitions);

const policy = {
  name: 'Points',
  escrow: { type: 'duration', value: 14, unit: 'day' },
  expiry: { type: 'rolling', value: 1, unit: 'month' },
};

describe('time', () => {
  const definitions = scenarioDefinitions([policy]);
  const start = { date: '2026-01-10T12:00:00-05:00' };

  it('releases and expires points, to the instant', async () => {
    const steps = [
      { ...accrual(50, start), expect: { points: { Points: 50 }, available: { Points: 0 } } },
      { wait: { until: '2026-01-24T11:59:59-05:00' }, expect: { points: { Points: 0 }, available: { Points: 0 } } },
      { wait: { until: '2026-01-24T12:00:00-05:00' }, expect: { available: { Points: 50 } } },
      { wait: { value: 1, unit: 'month' }, expect: { points: { Points: -50 }, balance: { Points: 0 } } },
    ];
    expect(await tested(earn, steps, { points: { Points: 0 } }, definitions)).toEqual([]);
  });

  it('passes for 100 years at most', async () => {
    const steps = [accrual(50, start), { wait: { value: 101, unit: 'year' } }];
    const [fault, ...others] = await tested(earn, steps, { points: { Points: 50 } }, definitions);
    expect([fault, others]).toEqual([expect.stringContaining('the steps of a test last at most 100 years'), []]);
  });

  it('passes to the date of an activity, and an earlier date is a late claim', async () => {
    const steps = [
      accrual(50, start),
      { ...accrual(7, { date: '2026-01-20T12:00:00-05:00' }), expect: { available: { Points: 0 } } },
      { ...accrual(3, { date: '2026-01-01T12:00:00-05:00' }), expect: { available: { Points: 3 } } },
      { wait: { value: 4, unit: 'day' }, expect: { available: { Points: 53 } } },
    ];
    expect(await tested(earn, steps, { points: { Points: 60 } }, definitions)).toEqual([]);
  });

  it('lets tiers rise and lapse', async () => {
    const tiers = scenarioDefinitions(undefined, [
      {
        name: 'Status',
        levels: [{ name: 'Gold', number: 1, threshold: 100 }],
        basis: { metric: 'spend', period: 'year' },
        downgrade: 'full',
        expiry: { value: 1, unit: 'year' },
      },
    ]);
    const steps = [
      { ...accrual(99, start), expect: { levels: { Status: null } } },
      { ...accrual(1), expect: { levels: { Status: 'Gold' } } },
      { wait: { value: 364, unit: 'day' }, expect: { levels: { Status: 'Gold' } } },
      { wait: { value: 1, unit: 'day' }, expect: { levels: { Status: null } } },
    ];
    expect(await tested(earn, steps, { points: { Points: 100 } }, tiers)).toEqual([]);
  });
});

describe('returns', () => {
  const lines = {
    lineItems: [
      { itemSKU: 'TEA', itemPrice: 30, quantity: 2 },
      { itemSKU: 'CUP', itemPrice: 40, quantity: 1 },
    ],
  };
  const basket = { activity: { type: 'Accrual', ...lines } };
  const cup = { cancel: { step: 1, lineItems: [{ itemSKU: 'CUP' }] } };
  const threshold = {
    key: 'threshold',
    name: 'Ten from 60',
    activityTypes: ['Accrual'],
    conditions: { all: [{ fact: 'activity', path: '$.value', operator: 'greaterThanInclusive', value: 60 }] },
    actions: [{ type: 'addPoints', purse: 'Points', points: 10 }],
  };

  it.each<[string, object, object, number[]]>([
    ['decide again by default when lines are named', threshold, cup, [0, 10]],
    ['give back the share', { ...threshold, onReturn: 'proportional' }, cup, [4, 6]],
    ['keep', { ...threshold, onReturn: 'keep' }, cup, [0, 10]],
    ['give back the share when a value is named', threshold, { cancel: { step: 1, value: 50 } }, [5, 5]],
    [
      'give back what is no longer earned',
      { ...threshold, onReturn: 'reevaluate' },
      { cancel: { step: 1, value: 50 } },
      [10, 0],
    ],
  ])('%s', async (_, rule, cancel, [first = 0, rest = 0]) => {
    const steps = [
      { ...basket, expect: { points: { Points: 10 } } },
      { ...cancel, expect: { returned: { threshold: first }, points: { Points: -first } } },
      { cancel: { step: 1 }, expect: { returned: { threshold: rest }, balance: { Points: 0 } } },
    ];
    expect(await tested(rule, steps, { points: { Points: 0 } })).toEqual([]);
  });

  it('make a debt of points that are burned', async () => {
    const steps = [
      accrual(50),
      { ...burn(50), expect: { fired: ['redeem'] } },
      { cancel: { step: 1 }, expect: { points: { Points: -50 }, balance: { Points: -50 } } },
      { ...accrual(20), expect: { balance: { Points: -30 }, available: { Points: -30 } } },
      { cancel: { step: 1 }, expect: { error: 2300 } },
    ];
    expect(await tested(earn, steps, { points: { Points: -30 } })).toEqual([]);
  });
});

describe('a failed step', () => {
  it('says which step failed, what was expected, and why the outcome differs', async () => {
    const steps = [
      { ...accrual(50), expect: { points: { Points: 51 }, notFired: ['earn'] } },
      { cancel: { step: 1, value: 20 }, expect: { returned: { earn: 30 } } },
      { wait: { value: 1, unit: 'day' } },
      { cancel: { step: 1, value: 31 } },
    ];
    expect(await tested(earn, steps, { points: { Points: 31 }, data: { a: 1 } })).toEqual([
      `test "t" fails: ${[
        'unexpected error 1200 value must be at most 30, which is left to return at step 4 (return of a part of step 1)',
        'expected 31 Points, got 30',
        'expected data a 1, got missing',
        'step 1 (Accrual): expected 51 Points, got 50 (earn: It fired for 50 points in Points.)',
        'step 1 (Accrual): "earn" fired',
        'step 2 (return of a part of step 1): expected 30 points of "earn" returned, got 20 (Rule earn is returned by its share of the value: 30 of 50 points in Points remain.)',
      ].join('; ')}`,
    ]);
  });

  it('says when no rule of the test is for an activity', async () => {
    const steps = [accrual(50), { ...burn(31), expect: { points: { Points: -31 }, error: 2100 } }];
    expect(await tested(earn, steps, { points: { Points: 50 } })).toEqual([
      'test "t" fails: step 2 (Redemption): expected error 2100, got none (No rule of the test is for Redemption; ' +
        '"fired" names further ones.); step 2 (Redemption): expected -31 Points, got 0',
    ]);
  });

  it('says why no points moved as time passed', async () => {
    const steps = [accrual(50), { wait: { value: 13, unit: 'day' }, expect: { available: { Points: 50 } } }];
    expect(await tested(earn, steps, { points: { Points: 50 } }, scenarioDefinitions([policy]))).toEqual([
      'test "t" fails: step 2 (13 days pass): expected available 50 Points, got 0 (50 Points are in escrow.)',
    ]);
  });
});

describe('the member', () => {
  it('may have an id that is known only within the test', async () => {
    const member = { _id: '507f1f77bcf86cd799439011' };
    const tests = [{ name: 't', member, steps: [accrual(5)], expect: { points: { Points: 5 } } }];
    expect(await faultsOf([{ ...earn, tests }, redeem], scenarioDefinitions())).toEqual([]);
  });

  it('has the points, level, segment, bucket and sums that the test gives', async () => {
    const tiers = scenarioDefinitions(
      [{ name: 'Points', expiry: { type: 'rolling', value: 1, unit: 'month' } }],
      [{ name: 'Status', levels: [{ name: 'Gold', number: 1, threshold: 100 }] }],
    );
    const special = {
      ...earn,
      tiers: ['Gold'],
      segments: ['VIP'],
      conditions: {
        all: [
          { fact: 'member', path: '$.bucket', operator: 'equal', value: 42 },
          { fact: 'aggregate', params: { metric: 'spend', period: 'month' }, operator: 'equal', value: 100 },
          { fact: 'aggregate', params: { metric: 'spend', period: 'lifetime' }, operator: 'equal', value: 1020 },
          { fact: 'daysSince', params: { of: 'lastVisit' }, operator: 'equal', value: 5 },
        ],
      },
    };
    const member = {
      purse: { Points: 300 },
      tier: { Status: 'Gold' },
      segments: ['VIP'],
      bucket: 42,
      lastVisit: '2026-01-05T12:00:00Z',
    };
    const steps = [
      {
        ...accrual(20, { date: '2026-01-10T12:00:00Z' }),
        expect: { fired: ['earn'], balance: { Points: 320 }, levels: { Status: 'Gold' } },
      },
      { wait: { value: 1, unit: 'month' }, expect: { points: { Points: -320 } } },
    ];
    const test = { name: 't', member, aggregates: { spend: { month: 80, lifetime: 1000 } }, steps };
    const rules = [{ ...special, tests: [{ ...test, expect: { points: { Points: -300 } } }] }];
    expect(await faultsOf(rules, tiers)).toEqual([]);
  });
});

it('the scenario of the tutorial passes with the rules and definitions of the demo', async () => {
  const folder = path.resolve(__dirname, '../../../rules');
  const tutorial = readFileSync(path.join(folder, 'README.md'), 'utf8');
  const [, scenario = ''] = /```json\n(\{\n {2}"name": "a returned cup[^`]*)```/.exec(tutorial) ?? [];
  const rule = JSON.parse(readFileSync(path.join(folder, 'demo/base-earn.json'), 'utf8'));
  expect(await faultsOf([{ ...rule, tests: [JSON.parse(scenario)] }], demoRuleReferences())).toEqual([]);
});

describe('a step is refused with', () => {
  const one = accrual(1);
  it.each<[string, object[], string]>([
    ['no content', [{}], 'a step has one of "activity", "cancel" and "wait"'],
    [
      'two contents',
      [one, { ...one, wait: { until: '2026-01-01' } }],
      'a step has one of "activity", "cancel" and "wait"',
    ],
    ['an unknown field', [{ activty: {} }], 'unknown field "activty" (did you mean "activity"?)'],
    [
      'an unknown field of the activity',
      [{ activity: { type: 'Accrual', valu: 1 } }],
      'unknown field "valu" (did you mean "value"?)',
    ],
    [
      'a reference to a later step',
      [one, { cancel: { step: 2 } }],
      '"step" is the position, from 1, of an earlier step with an activity; there are: 1',
    ],
    [
      'a wait without a unit',
      [one, { wait: { value: 3 } }],
      'a wait has "value" and "unit", such as 14 and "day", or "until", such as "2026-10-01"',
    ],
    [
      'an unknown unit',
      [one, { wait: { value: 3, unit: 'dai' } }],
      'unit must be one of minute, hour, day, week, month, year (did you mean "day"?)',
    ],
    [
      'a text that is no date',
      [one, { wait: { until: 'tomorrow' } }],
      '"until" is a date, such as "2026-10-01" or "2026-10-01T12:00:00Z"',
    ],
    [
      'an unknown purse',
      [{ ...one, expect: { balance: { Pionts: 1 } } }],
      'unknown purse "Pionts" (did you mean "Points"?)',
    ],
    ['an unknown policy', [{ ...one, expect: { levels: { Status: null } } }], 'unknown tier policy "Status"'],
    [
      'returned points without a cancel',
      [{ ...one, expect: { returned: { earn: 1 } } }],
      'only a step with "cancel" returns points',
    ],
  ])('%s', async (_, steps, message) => {
    expect(await tested(earn, steps, { points: { Points: 0 } })).toEqual([message]);
  });

  it('a fault at the line of the step', async () => {
    const rules = [
      { ...earn, tests: [{ name: 't', steps: [one, { cancel: { step: 7 } }], expect: { fired: ['earn'] } }] },
    ];
    const text = JSON.stringify(rules, null, 1);
    const { errors } = await readRules([{ path: 'demo/a.json', text }], scenarioDefinitions());
    expect(errors).toMatchObject([{ line: text.split('\n').findIndex((each) => each.includes('"step": 7')) + 1 }]);
  });
});
