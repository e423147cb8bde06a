import { ObjectId } from 'bson';
import { CounterBook } from '#engine/rules/decide/counterBook';
import type { Limit } from '#engine/rules/format/limitShape';
import type { Rule } from '#engine/rules/format/rule';
import { activity, award, decideWith, noon, rule, type Scene, TestTarget } from '../builders';

const limit = (changes: Partial<Limit> = {}): Limit => ({
  what: 'points',
  per: 'member',
  period: 'transaction',
  max: 100,
  onExceed: 'reduce',
  ...changes,
});
const grouped = (changes: Partial<Limit> = {}) => [limit({ limitGroup: 'campaign', ...changes })];

/** Decides activities one after the other; gives what each rule got for each activity. */
async function grantedBy(rules: readonly Rule[], scenes: readonly Scene[]) {
  const book = new CounterBook();
  const outcomes = [];
  for (const scene of scenes) {
    const { decision } = await decideWith(rules, { usage: book.usage, windows: book.windows, ...scene });
    book.add(decision.usage);
    expect(decision.errors.filter(({ code }) => code !== 2110)).toEqual([]);
    outcomes.push(Object.fromEntries(decision.kept.map(({ key, granted }) => [key, granted])));
  }
  return outcomes;
}

/** A target whose first effect changes a sum. */
class CountingTarget extends TestTarget {
  override metric(): number {
    return this.effects.length === 0 ? 10 : 50;
  }
}

describe('limits of one group', () => {
  const rules = (limits: Limit[]) => [
    award('high', 60, { priority: 5, limits }),
    award('a', 30, { limits }),
    award('b', 30, { limits }),
    award('free', 30),
  ];

  it('count together within one activity, over priorities and within one', async () => {
    expect(await grantedBy(rules(grouped()), [{}, {}])).toEqual([
      { high: 60, a: 30, b: 10, free: 30 },
      { high: 60, a: 30, b: 10, free: 30 },
    ]);
  });

  it('count together over activities', async () => {
    expect(await grantedBy(rules(grouped({ period: 'day', max: 150 })), [{}, {}, {}])).toEqual([
      { high: 60, a: 30, b: 30, free: 30 },
      { high: 30, a: 0, b: 0, free: 30 },
      { high: 0, a: 0, b: 0, free: 30 },
    ]);
  });

  it('may each react in their own way', async () => {
    const some = [
      award('high', 90, { priority: 5, limits: grouped() }),
      award('skipped', 30, { limits: grouped({ onExceed: 'skip' }) }),
      award('reduced', 30, { limits: grouped() }),
    ];
    expect(await grantedBy(some, [{}])).toEqual([{ high: 90, skipped: 0, reduced: 10 }]);
  });

  it('count firings together', async () => {
    const once = grouped({ what: 'times', period: 'day', max: 1, onExceed: 'skip' });
    const some = [award('a', 1, { limits: once }), award('b', 2, { limits: once })];
    expect(await grantedBy(some, [{}, {}])).toEqual([
      { a: 1, b: 0 },
      { a: 0, b: 0 },
    ]);
  });

  it('use the facts of their priority, also after an effect changed the member', async () => {
    const points = { of: { fact: 'member', path: '$.purse.Points.availBalance' }, times: 1 };
    const some = [
      award('a', 40, { limits: grouped({ max: 500 }) }),
      rule({ key: 'b', actions: [{ type: 'addPoints', purse: 'Points', points }], limits: grouped({ max: 500 }) }),
    ];
    expect(await grantedBy(some, [{ target: new TestTarget(10) }])).toEqual([{ a: 40, b: 10 }]);
  });

  it('use the sums of their priority, also after an effect changed them', async () => {
    const points = { of: { fact: 'aggregate', params: { metric: 'visits', period: 'month' } }, times: 1 };
    const some = [
      award('a', 40, { limits: grouped({ max: 500 }) }),
      rule({ key: 'b', actions: [{ type: 'addPoints', purse: 'Points', points }], limits: grouped({ max: 500 }) }),
    ];
    expect(await grantedBy(some, [{ target: new CountingTarget() }])).toEqual([{ a: 40, b: 10 }]);
  });
});

describe('a limit of amount', () => {
  const five = (changes: Partial<Limit> = {}, more: Partial<Rule> = {}) =>
    rule({
      key: 'five',
      priority: 2,
      actions: [{ type: 'addPoints', purse: 'P', points: { of: { fact: 'activity', path: '$.value' }, times: 0.05 } }],
      limits: [limit({ what: 'amount', period: 'quarter', max: 1500, ...changes })],
      ...more,
    });
  const rest = {
    difference: [
      { fact: 'activity', path: '$.value' },
      { fact: 'amountOfActivity', params: { rule: 'five' } },
    ],
  };
  const one = rule({ key: 'one', actions: [{ type: 'addPoints', purse: 'P', points: { of: rest, times: 0.01 } }] });
  const of = (...values: number[]) => values.map((value) => ({ activity: activity({ value }) }));

  it('lets the amount up to the limit earn, and leaves the rest to the base rule', async () => {
    expect(await grantedBy([five(), one], of(1000, 1000, 1000))).toEqual([
      { five: 50 },
      { five: 25, one: 5 },
      { five: 0, one: 10 },
    ]);
  });

  it('uses up only the amount that earned', async () => {
    const { decision } = await decideWith([five()], { activity: activity({ value: 2000 }) });
    expect(decision.usage).toMatchObject([{ what: 'amount', amount: 1500, max: 1500, by: { limit: 0 } }]);
    expect(decision.ruleMatch).toMatchObject([{ fired: true, reason: 'limitReached', desired: 100, granted: 75 }]);
  });

  it('skips or rejects when the amount exceeds it', async () => {
    expect(await grantedBy([five({ onExceed: 'skip' })], of(1000, 1000, 500))).toEqual([
      { five: 50 },
      { five: 0 },
      { five: 25 },
    ]);
    const { decision } = await decideWith([five({ onExceed: 'reject' })], { activity: activity({ value: 1501 }) });
    expect(decision.errors).toMatchObject([{ code: 2110 }]);
  });

  it('works beside limits of points and times', async () => {
    const both = [...(five().limits ?? []), limit({ max: 20 }), limit({ what: 'times', period: 'day', max: 2 })];
    expect(await grantedBy([five({}, { limits: both })], of(1000, 200, 200))).toEqual([
      { five: 20 },
      { five: 10 },
      { five: 0 },
    ]);
  });

  it('counts over line items', async () => {
    const lines = five(
      { period: 'transaction', max: 100 },
      {
        perLine: true,
        actions: [
          { type: 'addPoints', purse: 'P', points: { of: { fact: 'lineItem', path: '$.itemAmount' }, times: 2 } },
        ],
      },
    );
    const lineItems = [{ itemAmount: 60.5 }, { itemAmount: 60.5 }, { itemAmount: 60.5 }];
    const [granted] = await grantedBy([lines], [{ activity: activity({ lineItems }) }]);
    expect(granted).toEqual({ five: 121 + 79 });
  });
});

describe('the subject of a limit', () => {
  const perLine = (changes: Partial<Limit>) =>
    rule({
      perLine: true,
      actions: [
        { type: 'addPoints', purse: 'P', points: { of: { fact: 'lineItem', path: '$.itemAmount' }, times: 1 } },
      ],
      limits: [limit(changes)],
    });
  const lines = [
    { itemSKU: 'A', itemAmount: 70 },
    { itemSKU: 'B', itemAmount: 70 },
    { itemSKU: 'A', itemAmount: 70 },
    { itemAmount: 70 },
  ];

  it.each(['transaction', 'day'] as const)(
    'product: each product of a %s counts by itself, a line without one has no limit',
    async (period) => {
      const one = { activity: activity({ lineItems: lines }) };
      const first = 100 + 70 + 70;
      expect(await grantedBy([perLine({ per: 'product', period })], [one, one])).toEqual([
        { base: first },
        { base: period === 'day' ? 30 + 70 : first },
      ]);
      const { decision } = await decideWith([perLine({ per: 'product', period: 'day' })], one);
      expect(decision.usage.map(({ amount, by }) => [amount, by?.lines])).toEqual([
        [100, [0, 2]],
        [70, [1]],
      ]);
    },
  );

  it('coupon: of the line item, else of the activity; by id or by code', async () => {
    const id = new ObjectId();
    const couponId = ({ couponCode, offerId }: { couponCode?: string | undefined; offerId?: ObjectId | undefined }) =>
      couponCode === 'TEN' || offerId?.equals(id) ? 'ten' : undefined;
    const lineItems = [
      { couponCode: 'TEN', itemAmount: 70 },
      { offerId: id, itemAmount: 70 },
      { couponCode: 'OTHER', itemAmount: 70 },
      { itemAmount: 70 },
    ];
    const one = { activity: activity({ lineItems, couponCode: 'TEN' }), subjects: { couponId } };
    expect(await grantedBy([perLine({ per: 'coupon' })], [one])).toEqual([{ base: 100 + 70 }]);
  });

  it('account: members of one account share it, others have their own', async () => {
    const [a, b, c] = [new ObjectId(), new ObjectId(), new ObjectId()];
    const account = new ObjectId();
    const rules = [award('base', 70, { limits: [limit({ per: 'account', period: 'month' })] })];
    const of = (memberId: ObjectId, more = {}) => ({ memberId, subjects: more });
    const scenes = [of(a, { account }), of(b, { account }), of(c), of(b)];
    expect((await grantedBy(rules, scenes)).map(({ base }) => base)).toEqual([70, 30, 70, 70]);
  });
});

describe('a limit by a window', () => {
  const hours = (plus: number) => ({ activity: activity({ date: new Date(noon.getTime() + plus * 3_600_000) }) });

  it('works as a cool-down to the millisecond', async () => {
    const limits = [limit({ what: 'times', period: { last: 72, unit: 'hour' }, max: 1, onExceed: 'skip' })];
    const scenes = [0, 71, 72 - 1 / 3_600_000, 72, 143, 144.5].map(hours);
    const granted = await grantedBy([award('base', 5, { limits })], scenes);
    expect(granted.map(({ base }) => base)).toEqual([5, 0, 0, 5, 0, 5]);
  });

  it('applies between its dates only, both days included', async () => {
    const limits = [limit({ period: { from: '2026-03-11', to: '2026-03-12' }, max: 8 })];
    const scenes = [-13, -12, 0, 35, 36].map(hours);
    const granted = await grantedBy([award('base', 5, { limits })], scenes);
    expect(granted.map(({ base }) => base)).toEqual([5, 5, 3, 0, 5]);
  });
});
