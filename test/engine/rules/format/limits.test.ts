import { ObjectId } from 'bson';
import fc from 'fast-check';
import type { Limit } from '#engine/rules/format/limitShape';
import { allCounterKeys, counterKeys } from '#engine/rules/format/limits';
import type { Rule } from '#engine/rules/format/rule';
import { scaled } from '../../../support/scale';
import { activity, award, decideWith, memberId, rule } from '../builders';

const limit = (changes: Partial<Limit> = {}): Limit => ({
  what: 'points',
  per: 'member',
  period: 'day',
  max: 100,
  onExceed: 'reduce',
  ...changes,
});
const owner = { memberId, program: { timezone: 'America/New_York' } };
const keyOf = (changes: Partial<Limit>, date: string, more = {}) =>
  counterKeys(rule({ limits: [limit(changes)] }), activity({ date: new Date(date), ...more }), owner)
    .map(({ id }) => id.toHexString())
    .join();

describe('counterKeys', () => {
  it.each<[Limit['period'], string, string, boolean]>([
    ['day', '2026-03-11T03:59:59Z', '2026-03-10T05:00:00Z', true],
    ['day', '2026-03-11T03:59:59Z', '2026-03-11T04:00:00Z', false],
    // Clocks go forward on Sunday 8 March 2026. The week begins at midnight of that day, five hours behind UTC.
    ['week', '2026-03-08T05:00:00Z', '2026-03-15T03:59:59Z', true],
    ['week', '2026-03-08T05:00:00Z', '2026-03-08T04:59:59Z', false],
    // The new year splits a week, as in the aggregates.
    ['week', '2026-12-31T12:00:00Z', '2027-01-02T12:00:00Z', false],
    ['week', '2027-01-01T12:00:00Z', '2027-01-02T12:00:00Z', true],
    ['week', '2026-12-27T12:00:00Z', '2027-01-01T04:59:59Z', true],
    ['month', '2026-03-01T05:00:00Z', '2026-04-01T03:59:59Z', true],
    ['month', '2026-03-01T05:00:00Z', '2026-03-01T04:59:59Z', false],
    ['quarter', '2026-01-15T12:00:00Z', '2026-03-31T12:00:00Z', true],
    ['quarter', '2026-03-31T12:00:00Z', '2026-04-02T12:00:00Z', false],
    ['year', '2026-01-01T05:00:00Z', '2027-01-01T04:59:59Z', true],
    ['year', '2026-01-01T05:00:00Z', '2026-01-01T04:59:59Z', false],
    ['lifetime', '2020-01-01T00:00:00Z', '2030-01-01T00:00:00Z', true],
  ])('say for a limit per %s whether %s and %s count together: %s', (period, one, other, together) => {
    expect(keyOf({ period }, one) === keyOf({ period }, other)).toBe(together);
  });

  it('give one counter in whatever order a window has its fields', () => {
    const date = '2026-01-01T00:00:00Z';
    expect(keyOf({ period: { unit: 'hour', last: 72 } }, date)).toBe(
      keyOf({ period: { last: 72, unit: 'hour' } }, date),
    );
  });

  it('give none for a limit within the transaction', () => {
    expect(keyOf({ period: 'transaction' }, '2026-01-01T00:00:00Z')).toBe('');
  });

  it('keep the counter when only the max, reaction, place or version of a limit changes', () => {
    const date = '2026-01-01T00:00:00Z';
    expect(keyOf({ max: 5, onExceed: 'reject' }, date)).toBe(keyOf({}, date));
    const moved = rule({ version: 7, limits: [limit({ per: 'program' }), limit()] });
    const ids = counterKeys(moved, activity({ date: new Date(date) }), owner).map(({ id }) => id.toHexString());
    expect(ids[1]).toBe(keyOf({}, date));
  });

  it('count per location by id or else channel, and not at all without either', () => {
    const at = (more: object) => keyOf({ per: 'location' }, '2026-01-01T00:00:00Z', more);
    const shop = new ObjectId();
    expect(at({ locationId: shop, srcChannelID: '7' })).toBe(at({ locationId: shop }));
    expect(at({ srcChannelID: '7' })).not.toBe(at({ srcChannelID: '8' }));
    expect(at({})).toBe('');
  });

  it('give the counters of a list of rules as those of each, the budget last', () => {
    const rules = [award('a', 1, { limits: [limit()], budget: { points: 9 } }), award('b', 1), award('c', 1)];
    const one = activity();
    const each = rules.flatMap((some) => counterKeys(some, one, owner));
    expect(allCounterKeys(rules, one, owner)).toEqual(each);
    expect(each.map(({ kind, what, max }) => [kind, what, max])).toEqual([
      ['limit', 'points', 100],
      ['budget', 'points', 9],
    ]);
  });
});

/** Decides one activity per value with the same rule. Adds to counters as the pipeline does. */
async function postAll(input: Rule, values: readonly number[]) {
  const usage = new Map<string, number>();
  const outcomes = [];
  for (const value of values) {
    const outcome = await decideWith([input], { activity: activity({ value, srcChannelID: '7' }), usage });
    for (const { id, amount } of outcome.decision.usage) {
      usage.set(id.toHexString(), (usage.get(id.toHexString()) ?? 0) + amount);
    }
    outcomes.push(outcome);
  }
  return outcomes;
}

describe('limits and budget', () => {
  it('reduce to what is left, then do not fire', async () => {
    const outcomes = await postAll(rule({ limits: [limit()] }), [60, 60, 60]);
    expect(outcomes.map(({ points }) => points)).toEqual([60, 40, 0]);
    expect(outcomes.map(({ decision }) => decision.ruleMatch[0])).toMatchObject([
      { fired: true, desired: 60, granted: 60 },
      { fired: true, reason: 'limitReached', desired: 60, granted: 40 },
      { fired: false, reason: 'limitReached', desired: 60, granted: 0 },
    ]);
  });

  it('skip when not all points fit', async () => {
    const outcomes = await postAll(rule({ limits: [limit({ onExceed: 'skip' })] }), [60, 60, 40]);
    expect(outcomes.map(({ points }) => points)).toEqual([60, 0, 40]);
  });

  it('reject the activity with 2110 when the rule says so', async () => {
    const outcomes = await postAll(rule({ limits: [limit({ onExceed: 'reject' })] }), [60, 60]);
    expect(outcomes[1]?.decision.errors).toMatchObject([{ code: 2110, status: 422, rule: 'base' }]);
    expect(outcomes[1]?.decision.ruleMatch).toMatchObject([{ fired: false, reason: 'limitReached' }]);
  });

  it('count firings, also of rules that award nothing', async () => {
    const log = rule({
      actions: [{ type: 'log', message: 'hello' }],
      limits: [limit({ what: 'times', max: 2, onExceed: 'skip' })],
    });
    const outcomes = await postAll(log, [1, 1, 1]);
    expect(outcomes.map(({ target }) => target.effects.length)).toEqual([1, 1, 0]);
  });

  it('cut within one transaction without a counter', async () => {
    const outcomes = await postAll(rule({ limits: [limit({ period: 'transaction' })] }), [250, 250]);
    expect(outcomes.map(({ points }) => points)).toEqual([100, 100]);
    expect(outcomes[0]?.decision.usage).toEqual([]);
  });

  it('end a budget with budgetEmpty', async () => {
    const outcomes = await postAll(rule({ budget: { points: 150 } }), [100, 100, 100]);
    expect(outcomes.map(({ points }) => points)).toEqual([100, 50, 0]);
    expect(outcomes[1]?.decision.ruleMatch).toMatchObject([{ fired: true, reason: 'budgetEmpty', granted: 50 }]);
    expect(outcomes[2]?.decision.ruleMatch).toMatchObject([{ fired: false, reason: 'budgetEmpty' }]);
  });

  it('cut the last of several actions first', async () => {
    const two = rule({
      actions: [
        { type: 'addPoints', purse: 'Points', points: 70 },
        { type: 'addPoints', purse: 'Bonus', points: 70 },
      ],
      limits: [limit()],
    });
    const [outcome] = await postAll(two, [1]);
    expect(outcome?.target.effects).toMatchObject([{ points: 70 }, { points: 30, n: 1 }]);
  });

  it('count redeemed points in a rule that adds none', async () => {
    const burn = rule({
      actions: [{ type: 'redeemPoints', purse: 'Points', points: 10 }],
      limits: [limit({ max: 5, onExceed: 'reject' })],
    });
    const { decision } = await decideWith([burn]);
    expect(decision.errors).toMatchObject([{ code: 2110 }]);
  });

  it('are not used up by a rule without effect', async () => {
    const outcomes = await postAll(rule({ limits: [limit({ what: 'times', max: 1 })] }), [0, 50]);
    expect(outcomes.map(({ points }) => points)).toEqual([0, 50]);
  });

  it('are never exceeded, and never waste what is left, whatever the values, limits and their order', async () => {
    const period = fc.constantFrom<Limit['period']>('day', 'week', 'lifetime');
    const some = fc.record({
      what: fc.constantFrom<Limit['what']>('points', 'times'),
      per: fc.constantFrom<Limit['per']>('member', 'program', 'location'),
      period,
      max: fc.integer({ min: 1, max: 200 }),
      onExceed: fc.constantFrom<Limit['onExceed']>('reduce', 'skip', 'reject'),
    });
    const limits = fc.uniqueArray(some, {
      selector: ({ what, per, period: each }) => `${what}${per}${each}`,
      maxLength: 4,
    });
    const budget = fc.integer({ min: 1, max: 300 });
    const values = fc.array(fc.nat(120), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(limits, budget, values, async (someLimits, points, posted) => {
        const outcomes = await postAll(rule({ limits: someLimits, budget: { points } }), posted);
        const total = outcomes.reduce((sum, outcome) => sum + (outcome.decision.errors.length ? 0 : outcome.points), 0);
        const firings = outcomes.filter(({ target }) => target.effects.length > 0).length;
        for (const { what, max } of someLimits) expect(what === 'points' ? total : firings).toBeLessThanOrEqual(max);
        expect(total).toBeLessThanOrEqual(points);
        if (someLimits.length === 0)
          expect(total).toBe(
            Math.min(
              points,
              posted.reduce((sum, each) => sum + each, 0),
            ),
          );
      }),
      { numRuns: scaled(60) },
    );
  });
});
