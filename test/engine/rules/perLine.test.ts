import type { Limit } from '#engine/rules/format/limitShape';
import type { Rule } from '#engine/rules/format/rule';
import { activity, award, decideWith, rule, type TestTarget } from './builders';

const lines = [
  { itemSKU: 'A', quantity: 1, itemAmount: 10 },
  { itemSKU: 'B', quantity: 1, itemAmount: 20 },
  { itemSKU: 'A', quantity: 1, itemAmount: 40 },
];
const products = new Map<string, Record<string, unknown>>([
  ['A', { sku: 'A', category: 'Coffee' }],
  ['B', { sku: 'B', category: 'Tea' }],
]);
const isCoffee = { fact: 'product', path: '$.category', operator: 'equal', value: 'Coffee' };
/** A rule that awards the price of each coffee in points. */
const coffee = (changes: Partial<Rule> = {}) =>
  rule({
    key: 'coffee',
    perLine: true,
    conditions: { all: [isCoffee] },
    actions: [
      { type: 'addPoints', purse: 'Points', points: { of: { fact: 'lineItem', path: '$.itemAmount' }, times: 1 } },
    ],
    ...changes,
  });
const limit = (changes: Partial<Limit>): Limit[] => [
  { what: 'points', per: 'member', period: 'day', max: 1, onExceed: 'reduce', ...changes },
];
const decideLines = (rules: Rule[], lineItems = lines) =>
  decideWith(rules, { activity: activity({ lineItems }), enriched: { products } });
const points = ({ target }: { target: TestTarget }) =>
  target.effects.map((effect) => (effect.type === 'addPoints' ? effect.points : effect.type));

describe('a rule for line items', () => {
  it('acts for each line item that holds, and is one entry of ruleMatch', async () => {
    const decided = await decideLines([coffee()]);
    expect(points(decided)).toEqual([10, 40]);
    expect(decided.decision.ruleMatch).toMatchObject([{ key: 'coffee', fired: true, desired: 50, granted: 50 }]);
  });

  it('gives each of its awards a number of its own', async () => {
    const actions = [...coffee().actions, { type: 'addPoints', purse: 'Bonus', points: 1 } as const];
    const { target } = await decideLines([coffee({ actions })]);
    const numbers = target.effects.map((effect) => (effect.type === 'addPoints' ? effect.n : -1));
    expect(new Set(numbers).size).toBe(4);
  });

  it.each<[string, Partial<Rule>, number[]]>([
    ['points of a day', { limits: limit({ max: 35 }) }, [10, 25]],
    ['points of the transaction', { limits: limit({ max: 35, period: 'transaction' }) }, [10, 25]],
    ['points, skipping what exceeds', { limits: limit({ max: 35, onExceed: 'skip' }) }, [10]],
    ['times of a day', { limits: limit({ what: 'times', max: 1 }) }, [10]],
    ['times of the transaction', { limits: limit({ what: 'times', max: 1, period: 'transaction' }) }, [10]],
    ['points of its budget', { budget: { points: 12 } }, [10, 2]],
  ])('counts each line item: %s', async (_, changes, expected) => {
    expect(points(await decideLines([coffee(changes)]))).toEqual(expected);
  });

  it('fails the activity when a limit that rejects is exceeded by any line item', async () => {
    const { decision } = await decideLines([coffee({ limits: limit({ max: 35, onExceed: 'reject' }) })]);
    expect(decision.errors).toMatchObject([{ code: 2110 }]);
    expect(decision.usage).toEqual([]);
  });

  it('uses a counter once, with the sum of its line items', async () => {
    const { decision } = await decideLines([coffee({ limits: limit({ max: 100 }) })]);
    expect(decision.usage).toMatchObject([{ what: 'points', amount: 50 }]);
  });

  it('competes in its group with the points of all its line items', async () => {
    const group = { group: 'best', pick: 'highest' } as const;
    expect(points(await decideLines([coffee(group), award('flat', 45, group)]))).toEqual([10, 40]);
    expect(points(await decideLines([coffee(group), award('flat', 55, group)]))).toEqual([55]);
  });

  it('says why it did not fire for the first line item, or that there is none', async () => {
    const tea = lines.slice(1, 2);
    const { decision } = await decideLines([coffee()], tea);
    expect(decision.ruleMatch).toMatchObject([
      {
        fired: false,
        reason: 'conditionFailed',
        failedCondition: { fact: 'product', expected: 'Coffee', actual: 'Tea' },
      },
    ]);
    const none = await decideLines([coffee()], []);
    expect(none.decision.ruleMatch).toMatchObject([{ failedCondition: { path: '$.lineItems', actual: [] } }]);
  });

  it('is in rule order among the others', async () => {
    const decided = await decideLines([award('a', 1), coffee({ key: 'b', file: 'demo/b.json' }), award('c', 2)]);
    expect(points(decided)).toEqual([1, 10, 40, 2]);
    expect(decided.decision.ruleMatch.map(({ key }) => key)).toEqual(['a', 'b', 'c']);
  });

  it('records the product of each line item once', async () => {
    const { decision } = await decideLines([coffee()]);
    expect(decision.factsRead.filter(({ fact }) => fact === 'product')).toMatchObject([
      { path: '$.category', line: 0, value: 'Coffee' },
      { path: '$.category', line: 1, value: 'Tea' },
      { path: '$.category', line: 2, value: 'Coffee' },
    ]);
  });
});

describe('lookupProducts', () => {
  it('shows the products of line items to rules of lower priority, not to those of its own', async () => {
    const condition = {
      fact: 'activity',
      path: '$.lineItems[*].product.category',
      operator: 'contains',
      value: 'Tea',
    };
    const looks = rule({ key: 'looks', priority: 5, actions: [{ type: 'lookupProducts' }] });
    const same = award('same', 1, { priority: 5, conditions: { all: [condition] } });
    const lower = award('lower', 2, { conditions: { all: [condition] } });
    expect((await decideLines([looks, same, lower])).points).toBe(2);
    expect((await decideLines([same, lower])).points).toBe(0);
  });
});

describe('inNamedList', () => {
  const stores = { byName: new Map([['Big stores', new Set(['S1'])]]), byId: new Map() };
  it.each<[string, string, string | undefined, boolean]>([
    ['one of its records', 'inNamedList', 'S1', true],
    ['another', 'inNamedList', 'S2', false],
    ['nothing', 'inNamedList', undefined, false],
    ['another, negated', 'not:inNamedList', 'S2', true],
  ])('decides for %s', async (_, operator, srcChannelID, expected) => {
    const conditions = { all: [{ fact: 'activity', path: '$.srcChannelID', operator, value: 'Big stores' }] };
    const scene = { activity: activity(srcChannelID ? { srcChannelID } : {}), lists: stores };
    const { decision } = await decideWith([award('a', 1, { conditions })], scene);
    expect(decision.errors).toEqual([]);
    expect(decision.ruleMatch[0]?.fired).toBe(expected);
  });
});
