import fc from 'fast-check';
import { explainMatches } from '#engine/rules/explain/explainMatches';
import { explainRule } from '#engine/rules/explain/explainRule';
import { nearestMiss } from '#engine/rules/explain/nearestMiss';
import { pastFacts } from '#engine/rules/explain/pastFacts';
import { type RuleReason, ruleReasons } from '#engine/rules/explain/ruleReasons';
import { compareRules, type Rule } from '#engine/rules/format/rule';
import type { Activity } from '#records/activities/activity';
import { scaled } from '../../../support/scale';
import { activity, decideWith, noon, rule, TestTarget } from '../builders';
import { randomCase } from '../differential/randomCase';
import { over, pastOf, replay, stored, worth } from './replay';

/** The part that must be the same for the decision and the replay. Values are as the database returns them. */
function plain(matches: readonly RuleReason[]) {
  return matches.map(({ lacking, notKept, rule: id, ...match }) => ({ ...stored(match), notKept }));
}

const value = { fact: 'activity', path: '$.value' };
const hour = { fact: 'hour' };
describe('ruleReasons', () => {
  it('sees what each priority saw, although rules changed it in between', async () => {
    const balance = { fact: 'member', path: '$.purse.Points.availBalance' };
    const rules = [
      rule({ key: 'first', priority: 3, conditions: { all: [{ ...balance, operator: 'greaterThan', value: 0 }] } }),
      rule({ key: 'gives', priority: 2 }),
      rule({ key: 'last', priority: 1, conditions: { all: [{ ...balance, operator: 'equal', value: 0 }] } }),
    ];
    const { replayed } = await replay(rules);
    expect(replayed.map(({ key, fired, failedCondition }) => [key, fired, failedCondition?.actual])).toEqual([
      ['first', false, 0],
      ['gives', true, undefined],
      ['last', false, 100],
    ]);
  });

  it('knows the hours of the program and the segments of the member as they were', async () => {
    const rules = [
      rule({ key: 'hours', hours: { from: '18:00', to: '22:00' } }),
      rule({ key: 'segment', segments: ['VIP'] }),
      rule({ key: 'tier', tiers: ['Gold'] }),
    ];
    const { decision, replayed } = await replay(rules, { target: new TestTarget(0, { segments: ['New'] }) });
    expect(plain(replayed)).toEqual(plain(decision.ruleMatch));
    expect(replayed.map(({ reason }) => reason)).toEqual(['notEffective', 'conditionFailed', 'conditionFailed']);
  });

  it('knows a fact that is compared with itself', async () => {
    const segments = { fact: 'member', path: '$.segments' };
    const each = { fact: 'member', path: '$.ext.cars[*].size' };
    const rules = [
      rule({ key: 'same', conditions: { all: [{ ...hour, operator: 'greaterThan', value: hour }] } }),
      rule({ key: 'list', conditions: { all: [{ ...segments, operator: 'notEqual', value: segments }] } }),
      rule({ key: 'each', conditions: { all: [{ ...each, operator: 'equal', value: each }] } }),
    ];
    const member = { segments: ['New'], ext: { cars: [{ size: 1 }] } };
    const { decision, replayed } = await replay(rules, { target: new TestTarget(0, member) });
    expect(replayed.map(({ failedCondition }) => failedCondition?.actual)).toEqual([[1], ['New'], 12]);
    expect(plain(replayed)).toEqual(plain(decision.ruleMatch));
  });

  it('says which values were not kept instead of guessing, and which condition failed for certain', async () => {
    const late = { ...hour, operator: 'greaterThan', value: 20 };
    const rules = [
      rule({ key: 'unknown', conditions: { all: [late, over(50)] } }),
      rule({ key: 'certain', conditions: { all: [late, over(500)] } }),
      rule({ key: 'audience', segments: ['VIP'] }),
      rule({
        key: 'erased',
        conditions: { all: [{ fact: 'activity', path: '$.loyaltyID', operator: 'equal', value: 'x' }] },
      }),
    ];
    const { decision } = await decideWith(rules);
    const replayed = ruleReasons([...rules].sort(compareRules), {
      ...pastOf(decision, activity()),
      facts: pastFacts({ activity: { ...activity() }, now: noon }, undefined),
    });
    const actual = explainMatches(replayed, { rules, date: noon, timezone: 'UTC', errors: [] });
    expect(Object.fromEntries(actual.map(({ key, notKept, sentence }) => [key, { notKept, sentence }]))).toEqual({
      unknown: {
        notKept: ['the hour of the day is above 20'],
        sentence:
          'Its conditions did not hold. Whether this was so is not known, as a value was not kept: the hour of the day is above 20.',
      },
      certain: { notKept: undefined, sentence: "It needs that the activity's value is above 500: it was 100." },
      audience: {
        notKept: ['the segments of the rule are met'],
        sentence:
          'It did not fire. Whether this was so is not known, as a value was not kept: the segments of the rule are met.',
      },
      erased: expect.objectContaining({ notKept: ['the activity\'s loyalty ID is "x"'] }),
    });
  });

  it('replays and explains any rules and activity as they were decided', async () => {
    await fc.assert(
      fc.asyncProperty(randomCase, fc.infiniteStream(variant), async ({ conditions, facts }, variants) => {
        const input = activityOf(facts.activity);
        const rules = conditions.map((each, n) =>
          rule({ key: `r${n}`, activityTypes: [input.type], conditions: withoutLists(each), ...variants.next().value }),
        );
        const target = new TestTarget(0, memberOf(facts.member));
        const { decision, inOrder, replayed } = await replay(rules, { activity: input, target });
        expect(plain(replayed)).toEqual(plain(decision.ruleMatch));
        const context = { rules, date: input.date, timezone: 'UTC', errors: decision.errors };
        for (const { sentence } of explainMatches(replayed, context)) expect(sentence).toMatch(/^[A-Z].*\.$/s);
        for (const each of rules) expect(explainRule(each).length).toBeGreaterThan(2);
        const nearest = nearestMiss(replayed, { rules: inOrder, timezone: 'UTC', worthOf: worth });
        const failed = decision.ruleMatch.filter(({ reason }) => reason === 'conditionFailed');
        if (nearest) expect(failed.map(({ key }) => key)).toContain(nearest.key);
      }),
      { numRuns: scaled(150) },
    );
  });
});

/** Past contents of named lists are unknown, so the replay says nothing about these comparisons. */
function withoutLists(conditions: Rule['conditions']): Rule['conditions'] {
  return JSON.parse(JSON.stringify(conditions).replaceAll('inNamedList', 'startsWith'));
}

const variant: fc.Arbitrary<Partial<Rule>> = fc.record(
  {
    priority: fc.integer({ min: 1, max: 3 }),
    segments: fc.constantFrom(['a'], ['Web', '3']),
    tiers: fc.constant(['a', 'POS']),
    hours: fc.constantFrom({ from: '00:00', to: '12:00' }, { days: ['Mon' as const] }),
    stop: fc.boolean(),
    perLine: fc.boolean(),
    group: fc.constantFrom('one', 'two'),
    pick: fc.constantFrom('first', 'highest'),
    limits: fc.constant([{ what: 'points', per: 'member', period: 'day', max: 1, onExceed: 'reduce' } as const]),
    actions: fc.constantFrom<Rule['actions']>(
      [{ type: 'addPoints', purse: 'Points', points: 3 }],
      [{ type: 'addPoints', purse: 'Points', points: { of: value, times: 1 } }],
      [{ type: 'reject', message: 'No' }],
    ),
  },
  { requiredKeys: ['priority'] },
);

function activityOf(fact: unknown): Activity {
  const { lineItems, date, ...own } = { lineItems: [], date: noon, ...(fact as object) };
  return { ...activity(), ...own, date, lineItems };
}

function memberOf(fact: unknown): Record<string, unknown> {
  return { ...(fact as object | undefined) };
}
