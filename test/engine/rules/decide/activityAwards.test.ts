import type { Rule } from '#engine/rules/format/rule';
import { readRules } from '#engine/rules/read/readRules';
import { activity, award, decideWith, rule } from '../builders';
import { base, definitions, file } from '../sampleRules';

const value = { fact: 'activity', path: '$.value' };
const bonus = (key: string, of: object, more: Partial<Rule> = {}) =>
  rule({
    key,
    actions: [{ type: 'addPoints', purse: 'Bonus', points: { of: of as typeof value, times: 1 } }],
    ...more,
  });
const inputOf = (params?: object) => ({ fact: 'pointsOfActivity', ...(params && { params }) });
const grantedOf = async (rules: Rule[], scene = {}) => {
  const { decision } = await decideWith(rules, scene);
  expect(decision.errors).toEqual([]);
  return Object.fromEntries(decision.kept.map(({ key, granted }) => [key, granted]));
};

describe('pointsOfActivity', () => {
  it('is what rules of higher priority gave, in all, by a rule, in a purse or by a table', async () => {
    const row = { table: 'rows' } as Rule['row'];
    const rules = [
      award('a', 10, { priority: 9 }),
      award('rows-1', 5, { priority: 8, ...(row && { row }) }),
      bonus('b', value, { priority: 7 }),
      bonus('all', inputOf()),
      bonus('ofA', inputOf({ rule: 'a' })),
      bonus('ofRows', inputOf({ rule: 'rows' })),
      bonus('inPoints', inputOf({ purse: 'Points' })),
    ];
    expect(await grantedOf(rules)).toMatchObject({ all: 115, ofA: 10, ofRows: 5, inPoints: 15 });
  });

  it('leaves out rules of the same priority, rules that did not fire, and points that a limit cut', async () => {
    const limits = [{ what: 'points', per: 'member', period: 'transaction', max: 30, onExceed: 'reduce' }] as const;
    const rules = [
      award('cut', 50, { priority: 9, limits: [...limits] }),
      award('not', 7, { priority: 9, conditions: { any: [{ fact: 'hour', operator: 'equal', value: 99 }] } }),
      award('same', 8),
      bonus('read', inputOf()),
    ];
    expect((await grantedOf(rules)).read).toBe(30);
  });

  it('is recorded, so that it can be explained', async () => {
    const { decision } = await decideWith([award('a', 10, { priority: 2 }), bonus('read', inputOf())]);
    expect(decision.factsRead).toMatchObject([{ fact: 'pointsOfActivity', priority: 1, value: 10 }]);
  });
});

it('amountOfActivity is what a rule computed its points from, over all line items', async () => {
  const perLine = rule({
    key: 'lines',
    priority: 5,
    perLine: true,
    actions: [{ type: 'addPoints', purse: 'P', points: { of: { fact: 'lineItem', path: '$.itemAmount' }, times: 2 } }],
  });
  const rest = { difference: [value, { fact: 'amountOfActivity', params: { rule: 'lines' } }] };
  const lineItems = [{ itemAmount: 30 }, { itemAmount: 12.5 }];
  expect(await grantedOf([perLine, bonus('rest', rest)], { activity: activity({ lineItems }) })).toEqual({
    lines: 85,
    rest: 57,
  });
});

it('amountOfActivity adds up decimals exactly', async () => {
  const of = { fact: 'lineItem', path: '$.itemAmount' };
  const perLine = rule({
    key: 'lines',
    priority: 5,
    perLine: true,
    actions: [{ type: 'addPoints', purse: 'P', points: { of, times: 2 } }],
  });
  const tenfold = rule({
    key: 'tenfold',
    actions: [
      {
        type: 'addPoints',
        purse: 'P',
        points: { of: { fact: 'amountOfActivity', params: { rule: 'lines' } }, times: 10 },
      },
    ],
  });
  const lineItems = [{ itemAmount: 0.7 }, { itemAmount: 0.1 }];
  const { tenfold: points } = await grantedOf([perLine, tenfold], { activity: activity({ lineItems }) });
  expect(points).toBe(8);
});

it.each([
  [undefined, 100],
  [{ filter: { type: 'Card' } }, 70],
  [{ filter: { type: ['Card', 'Cash'] } }, 90],
  [{ filter: { type: 'Card', subType: 'Visa' } }, 50],
  [{ filter: { type: 'Cheque' } }, 0],
])('the fact tender for %j is %d', async (params, expected) => {
  const tenderItems = [
    { type: 'Card', subType: 'Visa', value: 50 },
    { type: 'Card', value: 20 },
    { type: 'Cash', value: 20 },
    { type: 'Coupon', value: 10 },
    { type: 'Card' },
  ];
  const read = bonus('read', { fact: 'tender', ...(params && { params }) });
  expect((await grantedOf([read], { activity: activity({ tenderItems }) })).read ?? 0).toBe(expected);
});

describe('a rule that reads the award of another', () => {
  const reads = (rule: string, more = {}) => ({
    ...base,
    key: 'reader',
    ...more,
    actions: [{ type: 'addPoints', purse: 'Points', points: { of: { fact: 'pointsOfActivity', params: { rule } } } }],
  });
  const errorsOf = async (...rules: object[]) =>
    (await readRules([file(rules)], definitions)).errors.map(({ message }) => message);

  it('names a rule that exists and is decided before it', async () => {
    expect(await errorsOf({ ...base, priority: 2 }, reads('base'))).toEqual([]);
    expect(await errorsOf({ ...base, priority: 2 }, reads('bse'))).toEqual([
      'no rule has the key "bse" (did you mean "base"?)',
    ]);
    expect(await errorsOf({ ...base, priority: 2 }, reads('base', { priority: 2 }))).toEqual([
      '"base" has priority 2; only a rule with more than 2 gives before',
    ]);
  });

  it('names an existing rule also as the value of a comparison and in a named condition', async () => {
    const of = (rule: string) => ({ fact: 'pointsOfActivity', params: { rule } });
    const compared = { ...of('base'), operator: 'greaterThan', value: of('bse') };
    const named = {
      namedCondition: 'more',
      conditions: { all: [{ ...of('bsa'), operator: 'greaterThan', value: 1 }] },
    };
    const rules = [
      { ...base, key: 'a', conditions: { all: [compared] } },
      { ...base, key: 'b', conditions: { any: [{ condition: 'more' }, { condition: 'more' }] } },
    ];
    expect(await errorsOf(named, { ...base, priority: 2 }, ...rules)).toEqual([
      'no rule has the key "bse" (did you mean "base"?)',
      'no rule has the key "bsa"',
    ]);
  });

  it('names a purse that exists', async () => {
    const points = { of: { fact: 'pointsOfActivity', params: { purse: 'Pints' } } };
    expect(await errorsOf({ ...base, actions: [{ type: 'addPoints', purse: 'Points', points }] })).toEqual([
      'unknown purse "Pints" (did you mean "Points"?)',
    ]);
  });
});
