import { ObjectId } from 'bson';
import type { RuleReferences } from '#engine/rules/format/ruleReferences';
import { readRules } from '#engine/rules/read/readRules';

const definitions: RuleReferences = {
  programs: [
    {
      _id: new ObjectId(),
      code: 'demo',
      timezone: 'UTC',
      purses: ['Points'],
      tiers: [{ name: 'Status', levels: [] }],
      offers: [],
      rewards: [],
    },
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

  it.each<[unknown]>([
    [{ last: 7, unit: 'day' }],
    [{ last: 744, unit: 'hour' }],
    [{ year: 'enrolment' }],
    [{ year: { tier: 'Status' } }],
    [{ from: '2026-10-01', to: '2026-10-01' }],
  ])('may be the window %j', async (period) => {
    expect(await found(asking({ metric: 'spend', period }))).toEqual({ errors: [], warnings: [] });
  });

  it.each<[unknown, string]>([
    [{ last: 0, unit: 'day' }, '0,"unit": last must be >= 1'],
    [{ last: 25, unit: 'month' }, '25,"unit: last must be at most 24 for the unit month'],
    [{ last: 7, unit: 'dya' }, '"dya"}},: unit must be one of hour, day, week, month (did you mean "day"?)'],
    [{ last: 7 }, '{"last":: unit is required'],
    [{ year: 'enrollment' }, '"enrollm: year must be one of enrolment (did you mean "enrolment"?)'],
    [{ year: { tier: 'Statsu' } }, '"Statsu": unknown tier policy "Statsu" (did you mean "Status"?)'],
    [{ from: '2026-10-01', to: '2026-09-30' }, '"2026-09: to must not be before from'],
    [{ from: '2026-10-01', to: '2026-02-30' }, '"2026-02: to must match format "date"'],
    [{ from: '2026-10-01' }, '{"from":: to is required'],
    [{ form: '2026-10-01', to: '2026-10-02' }, '"form":"2: unknown field "form" (did you mean "from"?)'],
  ])('refuse the window %j', async (period, message) => {
    expect((await found(asking({ metric: 'spend', period }))).errors).toContainEqual(
      expect.stringContaining(message.slice(message.indexOf(': ') + 2)),
    );
  });

  it('refuse to count expired points by hours', async () => {
    const { errors } = await found(asking({ metric: 'pointsExpired:Points', period: { last: 1, unit: 'hour' } }));
    expect(errors).toEqual([expect.stringContaining('points expire by days')]);
  });

  it('are those of the fact crossed too, with either every or at', async () => {
    const crossing = (params: object) => ({
      ...base,
      conditions: { all: [{ fact: 'crossed', params, operator: 'greaterThan', value: 0 }] },
    });
    const sum = { metric: 'visits', period: 'month' };
    expect(await found(crossing({ ...sum, every: 10 }))).toEqual({ errors: [], warnings: [] });
    expect(await found(crossing({ ...sum, at: [10, 25] }))).toEqual({ errors: [], warnings: [] });
    const either = [expect.stringContaining('crossed needs either every (a multiple) or at (a list of sums)')];
    expect((await found(crossing(sum))).errors).toEqual(either);
    expect((await found(crossing({ ...sum, every: 10, at: [10] }))).errors).toEqual(either);
    expect((await found(crossing({ ...sum, every: 0 }))).errors).toEqual([expect.stringContaining('must be >= 1')]);
  });

  it('warn of a metric that nobody counts, unless a rule of these files counts it', async () => {
    const rule = asking({ metric: 'onlineSpnd', period: 'day' });
    expect(await found(rule)).toEqual({
      errors: [],
      warnings: ['"onlineS: no rule counts the metric "onlineSpnd" (did you mean "onlineSpend"?)'],
    });
    const counting = { ...base, key: 'b', actions: [{ type: 'addMetric', metric: 'onlineSpnd', value: 1 }] };
    expect((await found(rule, counting)).warnings).not.toContainEqual(expect.stringContaining('no rule counts'));
  });

  it('are valid in amounts too, and tests set the earlier sums of metrics', async () => {
    const earn = (tests: object[]) => ({
      ...base,
      actions: [
        {
          type: 'addPoints',
          purse: 'Points',
          points: { of: { fact: 'aggregate', params: { metric: 'spend', period: 'month' } }, times: 1 },
        },
      ],
      tests,
    });
    const test = {
      name: 't',
      activity: { type: 'Accrual', value: 20 },
      aggregates: { spend: { month: 480 } },
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
