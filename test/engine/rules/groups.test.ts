import fc from 'fast-check';
import type { Rule } from '#engine/rules/format/rule';
import { scaled } from '../../support/scale';
import { award, decideWith, rule } from './builders';

const fired = async (rules: readonly Rule[]) =>
  (await decideWith(rules)).decision.ruleMatch.filter((match) => match.fired).map(({ key }) => key);
const grouped = (key: string, points: number, changes: Partial<Rule> = {}) =>
  award(key, points, { group: 'g', pick: 'highest', ...changes });

describe('groups', () => {
  it.each<[NonNullable<Rule['pick']>, string[]]>([
    ['all', ['a', 'b', 'c']],
    ['first', ['a']],
    ['highest', ['b']],
    ['lowest', ['c']],
  ])('pick %s', async (pick, expected) => {
    const rules = [grouped('a', 20, { pick }), grouped('b', 30, { pick }), grouped('c', 10, { pick })];
    expect(await fired(rules)).toEqual(expected);
  });

  it('give a tie to the first in rule order, and name the others as lost', async () => {
    const { decision } = await decideWith([grouped('b', 5), grouped('a', 5)]);
    expect(decision.ruleMatch).toMatchObject([
      { key: 'a', fired: true },
      { key: 'b', fired: false, reason: 'groupLost', desired: 5, granted: 0 },
    ]);
  });

  it('compare points over all purses, after limits', async () => {
    const both = grouped('both', 0, {
      actions: [
        { type: 'addPoints', purse: 'Points', points: 6 },
        { type: 'addPoints', purse: 'Bonus', points: 6 },
      ],
    });
    const capped = grouped('capped', 100, {
      limits: [{ what: 'points', per: 'member', period: 'transaction', max: 11, onExceed: 'reduce' }],
    });
    expect(await fired([both, capped, grouped('ten', 10)])).toEqual(['both']);
  });

  it('pass on to the next rule when the first is stopped by its limit or does not match', async () => {
    const first = { pick: 'first' } as const;
    const used = grouped('a', 10, {
      ...first,
      limits: [{ what: 'points', per: 'member', period: 'transaction', max: 1, onExceed: 'skip' }],
    });
    const fails = grouped('b', 10, {
      ...first,
      conditions: { all: [{ fact: 'activity', path: '$.value', operator: 'equal', value: -1 }] },
    });
    expect(await fired([used, fails, grouped('c', 10, first), grouped('d', 10, first)])).toEqual(['c']);
  });

  it('with pick first stay decided for lower priorities', async () => {
    const rules = [grouped('a', 1, { pick: 'first', priority: 9 }), grouped('b', 5, { pick: 'first' })];
    expect(await fired(rules)).toEqual(['a']);
  });

  it('are not lost to a rule that a stop prevents', async () => {
    const rules = [grouped('a', 1), award('b', 1, { stop: true }), grouped('c', 99)];
    expect(await fired(rules)).toEqual(['a', 'b']);
  });
});

describe('order', () => {
  it('is by priority, file name and position, however the rules are shuffled', async () => {
    const rules = [
      award('p9', 1, { priority: 9, file: 'demo/z.json' }),
      award('a0', 1, { file: 'demo/a.json', position: 0 }),
      award('a1', 1, { file: 'demo/a.json', position: 1 }),
      award('a10', 1, { file: 'demo/a.json', position: 10 }),
      award('b', 1, { file: 'demo/b.json' }),
    ];
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(rules, { minLength: rules.length }), async (shuffled) => {
        expect(await fired(shuffled)).toEqual(['p9', 'a0', 'a1', 'a10', 'b']);
      }),
      { numRuns: scaled(30) },
    );
  });

  it('does not depend on how long conditions take to evaluate', async () => {
    const slow = {
      all: Array.from({ length: 20 }, (_, priority) => ({
        fact: 'activity',
        path: '$.value',
        operator: 'greaterThan',
        value: 0,
        priority: priority + 1,
      })),
    };
    const rules = [rule({ key: 'a', conditions: slow }), award('b', 1), rule({ key: 'c', conditions: slow })];
    expect(await fired(rules)).toEqual(['a', 'b', 'c']);
  });
});
