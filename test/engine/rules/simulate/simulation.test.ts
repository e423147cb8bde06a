import { ObjectId } from 'bson';
import fc from 'fast-check';
import type { Rule } from '#engine/rules/format/rule';
import type { Condition } from '#engine/rules/language/condition';
import { scaled } from '../../../support/scale';
import { activity, award, rule } from '../builders';
import { processed, simulated, type Was } from '../pastWorld';

const perUnit = (times: number, changes: Partial<Rule> = {}) =>
  rule({
    actions: [{ type: 'addPoints', purse: 'Points', points: { of: { fact: 'activity', path: '$.value' }, times } }],
    ...changes,
  });
const when = (...all: Condition[]): Condition => ({ all });
const values = (...input: number[]) => input.map((value) => ({ activity: activity({ value }) }));
const [ann, bob, cem] = [new ObjectId(), new ObjectId(), new ObjectId()];

test.each([
  ['twice the points', 2, 300, 3],
  ['half the points', 0.5, -150, -1.5],
  ['the same points', 1, 0, 0],
  ['none', 0, -300, -3],
])('a changed multiplier gives exactly the difference: %s', async (_name, times, difference, liability) => {
  const rules = [perUnit(1)];
  const result = await simulated(rules, [perUnit(times)], await processed(rules, values(100, 200)));

  expect(result).toMatchObject({
    activities: 2,
    differing: difference === 0 ? 0 : 2,
    points: { before: 300, after: 300 + difference, difference },
    liability,
    purses: [{ program: 'demo', purse: 'Points', difference, costPerPoint: 0.01, liability }],
    rules: [{ key: 'base', change: times === 1 ? 'unchanged' : 'changed', before: { fired: 2, points: 300 } }],
  });
});

test('a limit by the own year needs to know the enrolment', async () => {
  const rules = [award('a', 8)];
  const limited = award('a', 8, {
    limits: [{ what: 'points', per: 'member', period: { year: 'enrolment' }, max: 10, onExceed: 'reduce' }],
  });
  const result = await simulated(rules, [limited], await processed(rules, values(1, 1)));
  expect(result.rules).toMatchObject([
    { key: 'a', difference: 0, notEvaluated: 2, missing: [{ fact: 'member $.enrolledAt', activities: 2 }] },
  ]);
});

test('added and removed rules are reported, each with its effects', async () => {
  const inForce = [award('old', 5), award('stays', 1)];
  const result = await simulated(inForce, [award('stays', 1), award('new', 7)], await processed(inForce, values(1, 1)));

  expect(result.rules).toMatchObject([
    { key: 'new', change: 'added', before: { fired: 0, points: 0 }, after: { fired: 2, points: 14 }, difference: 14 },
    {
      key: 'old',
      change: 'removed',
      before: { fired: 2, points: 10 },
      after: { fired: 0, points: 0 },
      difference: -10,
    },
    { key: 'stays', change: 'unchanged', difference: 0 },
  ]);
});

test('other words, tests or another place do not make a rule a changed one', async () => {
  const moved = award('a', 5, {
    name: 'Anew',
    description: 'x',
    file: 'demo/z.json',
    position: 3,
    version: 2,
    tests: [],
  });
  const result = await simulated([award('a', 5)], [moved], await processed([award('a', 5)], values(1)));
  expect(result.rules).toMatchObject([{ key: 'a', change: 'unchanged' }]);
});

test('winners and losers are counted and named, most first', async () => {
  const inForce = [perUnit(1)];
  const changed = [
    perUnit(2, { conditions: when({ fact: 'activity', path: '$.value', operator: 'greaterThan', value: 50 }) }),
  ];
  const past = await processed(inForce, [
    { activity: activity({ value: 100 }), was: { memberId: ann } },
    { activity: activity({ value: 60 }), was: { memberId: bob } },
    { activity: activity({ value: 10 }), was: { memberId: cem } },
    { activity: activity({ value: 0 }), was: { memberId: new ObjectId() } },
  ]);

  const { members } = await simulated(inForce, changed, past);

  expect(members).toEqual({
    total: 4,
    winners: 2,
    losers: 1,
    unchanged: 1,
    mostWon: [
      { member: ann.toHexString(), before: 100, after: 200, difference: 100 },
      { member: bob.toHexString(), before: 60, after: 120, difference: 60 },
    ],
    mostLost: [{ member: cem.toHexString(), before: 10, after: 0, difference: -10 }],
  });
});

test('limits and budgets are replayed in order from counters of their own', async () => {
  const inForce = [award('a', 10)];
  const limited = [
    award('a', 10, { limits: [{ what: 'points', per: 'member', period: 'day', max: 25, onExceed: 'reduce' }] }),
  ];
  const past = await processed(inForce, values(1, 1, 1, 1));
  expect((await simulated(inForce, limited, past)).rules).toMatchObject([{ after: { fired: 3, points: 25 } }]);
  const budgeted = [award('a', 10, { budget: { points: 15 } })];
  expect((await simulated(inForce, budgeted, past)).rules).toMatchObject([{ after: { fired: 2, points: 15 } }]);
});

test('redeemed points count as taken, whatever the balance', async () => {
  const redeem = (points: number) => [rule({ key: 'r', actions: [{ type: 'redeemPoints', purse: 'Points', points }] })];
  const past = await processed(redeem(5), [{ activity: activity(), was: { balance: 5 } }]);
  expect(await simulated(redeem(5), redeem(9), past)).toMatchObject({
    points: { before: -5, after: -9, difference: -4 },
  });
});

test('an activity that the changed rules reject awards nothing', async () => {
  const inForce = [award('a', 10)];
  const reject = rule({ key: 'no', priority: 9, actions: [{ type: 'reject', message: 'no' }] });
  const result = await simulated(inForce, [...inForce, reject], await processed(inForce, values(1)));
  expect(result).toMatchObject({ failing: 1, points: { before: 10, after: 0 } });
});

describe('facts', () => {
  const gold = { fact: 'member', path: '$.tier.Ladder', operator: 'equal', value: 'Gold' };
  const spends = (value: number) => ({
    fact: 'aggregate',
    params: { metric: 'spend', period: 'month' },
    operator: 'greaterThan',
    value,
  });
  const birthday = { fact: 'isBirthday', operator: 'equal', value: true };
  const was: Was = {
    member: { tier: { Ladder: 'Gold' }, birthDate: '1990-03-11' },
    metrics: { 'spend month': 480 },
  };

  test.each([
    ['a part of the member', gold],
    ['a metric', spends(400)],
    ['whether it is the birthday', birthday],
  ])('%s has the kept value', async (_name, condition) => {
    const inForce = [award('a', 1, { conditions: when(condition) })];
    const past = await processed(inForce, [{ activity: activity(), was }]);
    const result = await simulated(inForce, [award('a', 3, { conditions: when(condition) })], past);
    expect(result).toMatchObject({ notEvaluated: 0, points: { before: 1, after: 3 } });
  });

  test('a metric is found however its params are written', async () => {
    const inForce = [award('a', 1, { conditions: when(spends(400)) })];
    const other = { ...spends(500), params: { period: 'month', metric: 'spend' } };
    const past = await processed(inForce, [{ activity: activity(), was }]);
    expect(await simulated(inForce, [award('a', 1, { conditions: when(other) })], past)).toMatchObject({
      notEvaluated: 0,
      points: { before: 1, after: 0 },
    });
  });

  test.each([
    ['member $.tier.Ladder', gold],
    ['aggregate {"metric":"spend","period":"month"}', spends(400)],
    ['isBirthday', birthday],
    ['named list vip', { fact: 'activity', path: '$.srcChannelID', operator: 'inNamedList', value: 'vip' }],
  ])('%s is reported when it was not kept, and the award stands', async (fact, condition) => {
    const inForce = [award('a', 1)];
    const past = await processed(inForce, [{ activity: activity(), was }]);
    const result = await simulated(inForce, [award('a', 3, { conditions: when(condition) })], past);
    expect(result).toMatchObject({
      notEvaluated: 1,
      points: { before: 1, after: 1 },
      rules: [{ key: 'a', notEvaluated: 1, missing: [{ fact, activities: 1 }] }],
    });
  });

  test('a fact is not missing for an activity that another condition leaves out', async () => {
    const inForce = [award('a', 1)];
    const channel = { fact: 'activity', path: '$.srcChannelType', operator: 'equal', value: 'Kiosk' };
    const past = await processed(inForce, [{ activity: activity({ srcChannelType: 'POS' }), was }]);
    const result = await simulated(inForce, [...inForce, award('b', 3, { conditions: when(channel, gold) })], past);
    expect(result).toMatchObject({ notEvaluated: 0, points: { difference: 0 } });
  });

  test('when a rule that stops others cannot be evaluated, the whole activity counts as before', async () => {
    const inForce = [award('a', 1)];
    const stop = award('first', 3, { conditions: when(gold), stop: true, priority: 5 });
    const past = await processed(inForce, [{ activity: activity(), was }]);
    expect(await simulated(inForce, [award('a', 50), stop], past)).toMatchObject({
      notEvaluated: 1,
      points: { before: 1, after: 1 },
    });
  });

  test('when a rule that might have won its group cannot be evaluated, the whole activity counts as before', async () => {
    const inForce = [award('a', 1)];
    const group = { group: 'best', pick: 'highest' } as const;
    const changed = [award('a', 50, group), award('b', 3, { ...group, conditions: when(gold) })];
    const past = await processed(inForce, [{ activity: activity(), was }]);
    expect(await simulated(inForce, changed, past)).toMatchObject({ notEvaluated: 1, points: { before: 1, after: 1 } });
  });

  test('groups are reported as far as the snapshot has tiers and segments', async () => {
    const segment = { fact: 'member', path: '$.segments', operator: 'contains', value: 'vip' };
    const inForce = [award('a', 1, { conditions: when({ any: [gold, segment, { ...segment, value: 'x' }] }) })];
    const past = await processed(inForce, [
      { activity: activity(), was: { member: { tier: { Ladder: 'Gold' }, segments: ['vip', 'early'] } } },
      { activity: activity(), was: { member: { tier: { Ladder: 'Silver' }, segments: [] } } },
    ]);
    const { groups } = await simulated(inForce, [award('a', 5, { conditions: when({ any: [gold, segment] }) })], past);
    expect(groups).toEqual([
      { by: 'segment', name: 'early', activities: 1, before: 1, after: 5, difference: 4 },
      { by: 'segment', name: 'vip', activities: 1, before: 1, after: 5, difference: 4 },
      { by: 'tier Ladder', name: 'Gold', activities: 1, before: 1, after: 5, difference: 4 },
      { by: 'tier Ladder', name: 'Silver', activities: 1, before: 0, after: 0, difference: 0 },
    ]);
  });
});

const condition = fc.oneof<fc.Arbitrary<Condition>[]>(
  fc.record({
    fact: fc.constant('activity'),
    path: fc.constant('$.value'),
    operator: fc.constantFrom('greaterThan', 'lessThanInclusive'),
    value: fc.integer({ min: 0, max: 100 }),
  }),
  fc.record({
    fact: fc.constant('member'),
    path: fc.constant('$.tier.Ladder'),
    operator: fc.constantFrom('equal', 'notEqual'),
    value: fc.constantFrom('Gold', 'Silver'),
  }),
  fc.record({
    fact: fc.constant('member'),
    path: fc.constant('$.purse.Points.availBalance'),
    operator: fc.constantFrom('greaterThan', 'lessThan'),
    value: fc.integer({ min: 0, max: 60 }),
  }),
  fc.record({
    fact: fc.constant('aggregate'),
    params: fc.constant({ metric: 'spend', period: 'month' }),
    operator: fc.constant('greaterThan'),
    value: fc.integer({ min: 0, max: 100 }),
  }),
  fc.constant<Condition>({ fact: 'isBirthday', operator: 'equal', value: true }),
  fc.constant<Condition>({ fact: 'isFirstActivity', operator: 'equal', value: true }),
);

const randomRule = fc.record({
  points: fc.integer({ min: 1, max: 50 }),
  priority: fc.integer({ min: 1, max: 3 }),
  conditions: fc.array(condition, { maxLength: 2 }),
  stop: fc.boolean(),
  group: fc.constantFrom(undefined, undefined, 'g'),
  pick: fc.constantFrom<Rule['pick'][]>('first', 'highest', 'lowest'),
  max: fc.option(fc.integer({ min: 1, max: 80 }), { nil: undefined }),
  onExceed: fc.constantFrom<('reduce' | 'skip' | 'reject')[]>('reduce', 'skip', 'reject'),
  isForGold: fc.boolean(),
});

const rulesOf = (drafts: readonly (typeof randomRule extends fc.Arbitrary<infer R> ? R : never)[]) =>
  drafts.map(({ points, priority, conditions, stop, group, pick, max, onExceed, isForGold }, n) =>
    award(`r${n}`, points, {
      priority,
      conditions: { all: conditions },
      stop,
      ...(group && pick ? { group, pick } : {}),
      ...(max ? { limits: [{ what: 'points', per: 'member', period: 'day', max, onExceed }] } : {}),
      ...(isForGold ? { tiers: ['Gold'] } : {}),
    }),
  );

const randomPast = fc.record({
  value: fc.integer({ min: 0, max: 120 }),
  tier: fc.constantFrom('Gold', 'Silver'),
  spend: fc.integer({ min: 0, max: 120 }),
  birthDate: fc.constantFrom('1990-03-11', '1990-06-01'),
  balance: fc.integer({ min: 0, max: 80 }),
  processedAccruals: fc.integer({ min: 0, max: 1 }),
});

test('unchanged rules give no difference for the activities that they decided', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(randomRule, { minLength: 1, maxLength: 6 }),
      fc.array(randomPast, { minLength: 1, maxLength: 8 }),
      async (drafts, activities) => {
        const rules = rulesOf(drafts);
        const past = await processed(
          rules,
          activities.map(({ value, tier, spend, birthDate, balance, processedAccruals }) => ({
            activity: activity({ value }),
            was: {
              member: { tier: { Ladder: tier }, birthDate, processedAccruals },
              metrics: { 'spend month': spend },
              balance,
            },
          })),
        );
        const result = await simulated(rules, rules, past);
        expect(result.points.difference).toBe(0);
        expect(result.differing).toBe(0);
        for (const { before, after } of result.rules) expect(after).toEqual(before);
      },
    ),
    { numRuns: scaled(150) },
  );
});
