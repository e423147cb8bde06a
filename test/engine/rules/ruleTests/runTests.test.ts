import { ObjectId } from 'bson';
import type { RuleReferences } from '#engine/rules/format/ruleReferences';
import { readRules } from '#engine/rules/read/readRules';

const definitions: RuleReferences = {
  programs: [
    {
      _id: new ObjectId(),
      code: 'demo',
      timezone: 'UTC',
      purses: ['Points', 'Bonus Points'],
      tiers: [],
      offers: [],
      rewards: [],
    },
  ],
  activityTypes: ['Accrual', 'Redemption'],
  segments: ['VIP'],
  metrics: [],
};
const earn = {
  key: 'earn',
  name: 'Earn',
  activityTypes: ['Accrual'],
  priority: 10,
  actions: [{ type: 'addPoints', purse: 'Points', points: { of: { fact: 'activity', path: '$.value' }, times: 1 } }],
};
const test = (expected: object, more: object = {}) => ({
  name: 't',
  activity: { type: 'Accrual', value: 50 },
  expect: expected,
  ...more,
});
async function failures(...rules: object[]): Promise<string[]> {
  const { errors } = await readRules([{ path: 'demo/a.json', text: JSON.stringify(rules) }], definitions);
  return errors.map(({ message }) => message);
}

describe('tests of rules', () => {
  it('pass when their expectations hold, and ignore everything else', async () => {
    expect(await failures({ ...earn, tests: [test({ points: { Points: 50 } })] })).toEqual([]);
    expect(await failures({ ...earn, tests: [test({ fired: ['earn'] })] })).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['points', { points: { Points: 60 } }, 'test "t" fails: expected 60 Points, got 50'],
    [
      'a purse that must stay',
      { points: { Points: 50, 'Bonus Points': 1 } },
      'test "t" fails: expected 1 Bonus Points, got 0',
    ],
    ['a rule that must not fire', { notFired: ['earn'] }, 'test "t" fails: "earn" fired'],
    ['data', { data: { a: 1 } }, 'test "t" fails: expected data a 1, got missing'],
    ['an error', { error: 2100 }, 'test "t" fails: expected error 2100, got none'],
    ['an unknown rule', { fired: ['burn'] }, 'test "t" fails: no rule has the key "burn"'],
  ])('say what differs: %s', async (_, expected, message) => {
    expect(await failures({ ...earn, tests: [test(expected)] })).toEqual([message]);
  });

  it.each([{ itemSKU: 'T' }, { productId: '00000000000000000000000a' }])('find a product by %j', async (named) => {
    const rule = {
      ...earn,
      perLine: true,
      conditions: { all: [{ fact: 'product', path: '$.category', operator: 'equal', value: 'Tea' }] },
    };
    const products = [{ _id: '00000000000000000000000a', sku: 'T', category: 'Tea' }];
    const activity = { type: 'Accrual', value: 50, lineItems: [named, {}] };
    expect(await failures({ ...rule, tests: [test({ points: { Points: 50 } }, { activity, products })] })).toEqual([]);
  });

  it('begin with empty purses, but for those that the member has', async () => {
    const burn = { ...earn, actions: [{ type: 'redeemPoints', purse: 'Points', points: 1 }] };
    expect(await failures({ ...burn, tests: [test({ error: 2100 })] })).toEqual([]);
    const member = { purse: { Points: 1 } };
    expect(await failures({ ...burn, tests: [test({ points: { Points: -1 } }, { member })] })).toEqual([]);
  });

  it('say why a rule did not fire, at the place of the test', async () => {
    const conditions = { all: [{ fact: 'activity', path: '$.value', operator: 'greaterThan', value: 100 }] };
    const text = JSON.stringify(
      { ...earn, conditions, tests: [test({ points: { Points: 0 } }), test({ fired: ['earn'] })] },
      null,
      1,
    );
    const { errors } = await readRules([{ path: 'demo/a.json', text }], definitions);
    // The test begins on the line before its name, and lines count from 1.
    const line = text.split('\n').findLastIndex((each) => each.includes('"name": "t"'));
    expect(errors).toMatchObject([
      {
        file: 'demo/a.json',
        line,
        column: 3,
        message: 'test "t" fails: "earn" did not fire (activity $.value greaterThan 100, but it is 50)',
      },
    ]);
  });

  it('run a rule alone, so that another rule never breaks them, unless they name it', async () => {
    const bonus = { ...earn, key: 'bonus', priority: 1 };
    expect(await failures({ ...earn, tests: [test({ points: { Points: 50 } })] }, bonus)).toEqual([]);
    const both = test({ points: { Points: 100 }, fired: ['earn', 'bonus'] });
    expect(await failures({ ...earn, tests: [both] }, bonus)).toEqual([]);
  });

  it('try drafts as if they were active', async () => {
    expect(await failures({ ...earn, status: 'draft', tests: [test({ fired: ['earn'] })] })).toEqual([]);
  });

  it('never depend on today, but on the date, asOf, effective.from or 1 January 2026', async () => {
    const hour = (value: number) => ({ all: [{ fact: 'hour', operator: 'equal', value }] });
    const fires = test({ fired: ['earn'] });
    expect(await failures({ ...earn, conditions: hour(12), tests: [fires] })).toEqual([]);
    const effective = { from: '2031-01-01T05:00:00Z' };
    expect(await failures({ ...earn, effective, conditions: hour(5), tests: [fires] })).toEqual([]);
    const asOf = { ...fires, asOf: '2031-05-01T09:00:00Z' };
    expect(await failures({ ...earn, effective, conditions: hour(9), tests: [asOf] })).toEqual([]);
    const dated = { ...asOf, activity: { type: 'Accrual', date: '2031-05-01T10:00:00Z' } };
    expect(await failures({ ...earn, effective, conditions: hour(10), tests: [dated] })).toEqual([]);
  });

  it('describe the member: balances, segments, first activity', async () => {
    const burn = {
      key: 'burn',
      name: 'Burn',
      activityTypes: ['Redemption'],
      segments: ['VIP'],
      actions: [{ type: 'redeemPoints', purse: 'Points', points: 30 }],
    };
    const redemption = { type: 'Redemption' };
    const member = (points: number) => ({ segments: ['VIP'], purse: { Points: points } });
    const tests = [
      { name: 'enough', activity: redemption, member: member(30), expect: { points: { Points: -30 } } },
      { name: 'too little', activity: redemption, member: member(29), expect: { error: 2100, points: { Points: 0 } } },
      {
        name: 'overdraft',
        activity: redemption,
        member: { segments: ['VIP'], purse: { Points: { overdraftLimit: 30 } } },
        expect: { points: { Points: -30 } },
      },
      { name: 'no VIP', activity: redemption, expect: { notFired: ['burn'] } },
    ];
    expect(await failures({ ...burn, tests })).toEqual([]);
  });

  it('fill in the defaults of activities', async () => {
    const activity = {
      type: 'Accrual',
      lineItems: [
        { itemPrice: 20, quantity: 3 },
        { itemPrice: 5, quantity: 1 },
      ],
    };
    expect(await failures({ ...earn, tests: [{ name: 't', activity, expect: { points: { Points: 65 } } }] })).toEqual(
      [],
    );
  });

  it.each<[string, object, string]>([
    ['an activity', { activity: { type: 'Accrual', valu: 5 } }, 'unknown field "valu" (did you mean "value"?)'],
    ['a member', { member: { segmets: [] } }, 'unknown field "segmets" (did you mean "segments"?)'],
    ['a purse', { member: { purse: { Pionts: 5 } } }, 'unknown purse "Pionts" (did you mean "Points"?)'],
    ['an expectation', { expect: { fird: [] } }, 'unknown field "fird" (did you mean "fired"?)'],
    [
      'a purse of an expectation',
      { expect: { points: { Pionts: 5 } } },
      'unknown purse "Pionts" (did you mean "Points"?)',
    ],
  ])('are checked themselves: %s', async (_, changes, message) => {
    expect(await failures({ ...earn, tests: [test({ fired: ['earn'] }, changes)] })).toEqual([message]);
  });
});
