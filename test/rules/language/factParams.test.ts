import { ObjectId } from 'bson';
import type { RuleReferences } from '../../../src/rules/format/ruleReferences';
import { readRules } from '../../../src/rules/read/readRules';

const definitions: RuleReferences = {
  programs: [
    { _id: new ObjectId(), code: 'demo', timezone: 'UTC', purses: ['Points'], tiers: [], offers: [], rewards: [] },
  ],
  activityTypes: ['Accrual'],
  segments: [],
  metrics: ['onlineSpend'],
};
const base = { key: 'a', name: 'A', activityTypes: ['Accrual'], actions: [{ type: 'log', message: 'x' }] };
const asking = (params?: unknown, more: object = {}) => ({
  ...base,
  conditions: { all: [{ fact: 'aggregate', ...(params ? { params } : {}), operator: 'lessThan', value: 5 }] },
  ...more,
});
async function found(...rules: object[]) {
  const file = { path: 'demo/a.json', text: JSON.stringify(rules.length === 1 ? rules[0] : rules) };
  const { errors, warnings } = await readRules([file], definitions);
  const at = ({ column, message }: { column: number; message: string }) =>
    `${file.text.slice(column - 1, column + 7)}: ${message}`;
  return { errors: errors.map(at), warnings: warnings.map(at) };
}

describe('params of the fact aggregate', () => {
  it.each([
    ['spend', 'day'],
    ['visits', 'halfYear'],
    ['pointsEarned:Points', 'lifetime'],
    ['onlineSpend', 'year'],
  ])('may be %s and %s', async (metric, period) => {
    expect(await found(asking({ metric, period }))).toEqual({ errors: [], warnings: [] });
  });

  it.each<[string, unknown, string[]]>([
    ['none', undefined, ['{"fact":: metric is required', '{"fact":: period is required']],
    [
      'a misspelt period',
      { metric: 'spend', period: 'moth' },
      ['"moth"},: period must be one of day, week, month, quarter, halfYear, year, lifetime (did you mean "month"?)'],
    ],
    [
      'a misspelt name',
      { metric: 'spend', perod: 'day' },
      ['{"metric: period is required', '"perod":: unknown field "perod" (did you mean "period"?)'],
    ],
    ['a list', [], ['[],"oper: must be an object { ... }; it is []']],
  ])('are refused: %s', async (_, params, errors) => {
    expect((await found(asking(params))).errors).toEqual(errors);
  });

  it('warn of a metric that nobody counts, not of one that a rule of the same files counts', async () => {
    const rule = asking({ metric: 'onlineSpnd', period: 'day' });
    expect(await found(rule)).toEqual({
      errors: [],
      warnings: ['"onlineS: no rule counts the metric "onlineSpnd" (did you mean "onlineSpend"?)'],
    });
    const counting = { ...base, key: 'b', actions: [{ type: 'addMetric', metric: 'onlineSpnd', value: 1 }] };
    expect((await found(rule, counting)).warnings).not.toContainEqual(expect.stringContaining('no rule counts'));
  });

  it('stand in amounts too, and tests say what metrics came to before', async () => {
    const earn = (tests: object[]) => ({
      ...base,
      actions: [
        {
          ...{ type: 'addPoints', purse: 'Points' },
          points: { of: { fact: 'aggregate', params: { metric: 'spend', period: 'month' } }, times: 1 },
        },
      ],
      tests,
    });
    const test = {
      ...{ name: 't', activity: { type: 'Accrual', value: 20 }, aggregates: { spend: { month: 480 } } },
      expect: { points: { Points: 500 } },
    };
    expect(await found(earn([test]))).toEqual({ errors: [], warnings: [] });
    expect(await found(earn([{ ...test, aggregates: { spend: { mont: 480 } } }]))).toMatchObject({
      errors: [expect.stringContaining('unknown field "mont"')],
    });
  });

  it('see in tests what rules of higher priority did', async () => {
    const first = { ...base, priority: 2, actions: [{ type: 'addPoints', purse: 'Points', points: 7 }] };
    const second = {
      ...asking({ metric: 'pointsEarned:Points', period: 'day' }),
      key: 'b',
      tests: [
        { name: 't', activity: { type: 'Accrual' }, expect: { fired: ['a'], notFired: ['b'] } },
        { name: 'alone', activity: { type: 'Accrual' }, expect: { fired: ['b'] } },
      ],
    };
    expect(await found(first, second)).toEqual({ errors: [], warnings: [] });
  });
});
