import { activity, award, decideWith, rule, TestTarget } from '../builders';

const reasons = (decision: { ruleMatch: { key: string; fired: boolean; reason?: string }[] }) =>
  decision.ruleMatch.map(({ key, fired, reason }) => [key, reason ?? (fired ? 'fired' : 'missed')]);

describe('decide', () => {
  it('awards by the actions of a rule whose conditions hold', async () => {
    const { points, decision } = await decideWith([rule()], { activity: activity({ value: 120 }) });
    expect(points).toBe(120);
    expect(decision.ruleMatch).toMatchObject([{ key: 'base', fired: true, desired: 120, granted: 120 }]);
    expect(decision.lastFired).toMatchObject({ key: 'base' });
  });

  it('leaves out rules of other activity types', async () => {
    const { decision } = await decideWith([rule({ activityTypes: ['Redemption'] })]);
    expect(decision.ruleMatch).toEqual([]);
  });

  it('names the first comparison that failed, with what was expected and what was there', async () => {
    const conditions = {
      all: [
        { fact: 'activity', path: '$.value', operator: 'greaterThan', value: 10 },
        { any: [{ fact: 'activity', path: '$.currencyCode', operator: 'in', value: ['USD', 'EUR'] }] },
      ],
    };
    const { decision } = await decideWith([rule({ conditions })]);
    expect(decision.ruleMatch).toMatchObject([
      {
        fired: false,
        reason: 'conditionFailed',
        failedCondition: {
          fact: 'activity',
          path: '$.currencyCode',
          operator: 'in',
          expected: ['USD', 'EUR'],
          actual: undefined,
        },
      },
    ]);
  });

  it('lets rules of lower priority see balances that higher ones changed, and rules of the same priority not', async () => {
    const seesPoints = {
      all: [{ fact: 'member', path: '$.purse.Points.availBalance', operator: 'greaterThan', value: 0 }],
    };
    const rules = [
      award('first', 10, { priority: 5 }),
      award('same', 1, { priority: 5, conditions: seesPoints }),
      award('lower', 2, { priority: 4, conditions: seesPoints }),
    ];
    const { decision, points } = await decideWith(rules);
    expect(reasons(decision)).toEqual([
      ['first', 'fired'],
      ['same', 'conditionFailed'],
      ['lower', 'fired'],
    ]);
    expect(points).toBe(12);
    expect(decision.factsRead).toEqual([
      { fact: 'member', path: '$.purse.Points.availBalance', priority: 5, value: 0 },
      { fact: 'member', path: '$.purse.Points.availBalance', priority: 4, value: 10 },
    ]);
  });

  it.each([
    ['first', ['fired', 'groupLost', 'groupLost'], 1],
    ['highest', ['groupLost', 'fired', 'fired'], 6],
  ] as const)(
    'decides a group that picks %s: once in all priorities, or anew in each',
    async (pick, expected, total) => {
      const rules = [
        award('a', 1, { group: 'g', pick, priority: 2 }),
        award('b', 2, { group: 'g', pick, priority: 2 }),
        award('c', 4, { group: 'g', pick, priority: 1 }),
      ];
      const { decision, points } = await decideWith(rules);
      expect(reasons(decision).map(([, reason]) => reason)).toEqual(expected);
      expect(points).toBe(total);
    },
  );

  it('runs no rule after one that stops', async () => {
    const rules = [award('a', 1, { stop: true, priority: 2 }), award('b', 2, { priority: 2 }), award('c', 4)];
    const { decision, points } = await decideWith(rules);
    expect(points).toBe(1);
    expect(reasons(decision)).toEqual([
      ['a', 'fired'],
      ['b', 'stopped'],
      ['c', 'stopped'],
    ]);
  });

  it('fails the activity with the message of a reject and evaluates nothing after it', async () => {
    const rejecting = rule({ key: 'no', priority: 9, actions: [{ type: 'reject', message: 'Not today' }] });
    const { decision, points } = await decideWith([rejecting, award('a', 1)]);
    expect(decision.errors).toEqual([{ code: 2400, message: 'Not today', status: 422, rule: 'no' }]);
    expect(points).toBe(0);
    expect(reasons(decision)).toEqual([
      ['no', 'fired'],
      ['a', 'stopped'],
    ]);
  });

  it('fails the activity with the error of an effect that the target refuses', async () => {
    const burn = rule({ key: 'burn', actions: [{ type: 'redeemPoints', purse: 'Points', points: 50 }] });
    const { decision } = await decideWith([burn], { target: new TestTarget(49) });
    expect(decision.errors).toMatchObject([{ code: 2100 }]);
    expect(reasons(decision)).toEqual([['burn', 'error']]);
    const { points } = await decideWith([burn], { target: new TestTarget(50) });
    expect(points).toBe(0);
  });

  it('names a rule that fails to evaluate, and still evaluates and reports the others', async () => {
    const conditions = { all: [{ fact: 'activity', path: '$.type', operator: 'in', value: { fact: 'hour' } }] };
    const { decision } = await decideWith([
      award('broken', 1, { conditions, priority: 2 }),
      award('same', 2, { priority: 2 }),
      award('lower', 4),
    ]);
    expect(decision.errors).toMatchObject([{ code: 2900, status: 422, rule: 'broken' }]);
    expect(decision.errors[0]?.message).toContain('broken');
    expect(reasons(decision)).toEqual([
      ['broken', 'error'],
      ['same', 'fired'],
      ['lower', 'fired'],
    ]);
  });

  it('reports rules behind a stop as stopped only when they could have run', async () => {
    const rules = [award('a', 1, { stop: true, priority: 2 }), award('draft', 2, { status: 'draft' }), award('b', 3)];
    const { decision } = await decideWith(rules);
    expect(reasons(decision)).toEqual([
      ['a', 'fired'],
      ['b', 'stopped'],
      ['draft', 'notEffective'],
    ]);
  });

  it('reports rules that only a newer version understands, and decides by the others', async () => {
    const unknown = { of: { fact: 'weather' }, times: 1 };
    const rules = [
      rule({ key: 'fact', actions: [{ type: 'addPoints', purse: 'Points', points: unknown }] }),
      rule({ key: 'action', actions: [JSON.parse('{"type":"dance"}')] }),
      award('known', 3),
    ];
    const { decision, points } = await decideWith(rules);
    expect(decision.errors.map(({ code, message }) => [code, message])).toEqual([
      [2900, 'Rule action failed to evaluate: unknown action dance'],
      [2900, 'Rule fact failed to evaluate: unknown fact weather'],
    ]);
    expect(points).toBe(3);
  });

  it('gives no counter increments when the activity fails', async () => {
    const limits = [{ what: 'times', per: 'member', period: 'day', max: 3, onExceed: 'skip' }] as const;
    const ok = award('a', 1, { limits: [...limits], priority: 2 });
    expect((await decideWith([ok])).decision.usage).toHaveLength(1);
    const no = rule({ key: 'no', actions: [{ type: 'reject', message: 'no' }] });
    expect((await decideWith([ok, no])).decision.usage).toEqual([]);
  });
});
