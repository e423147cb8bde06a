import { BSON, ObjectId } from 'bson';
import fc from 'fast-check';
import { factSnapshotOf } from '../../../src/activities/decide/historyOf';
import type { Activity } from '../../../src/records/activities/activity';
import { explainMatches } from '../../../src/rules/explain/explainMatches';
import { explainRule } from '../../../src/rules/explain/explainRule';
import { nearestMiss } from '../../../src/rules/explain/nearestMiss';
import { pastFacts } from '../../../src/rules/explain/pastFacts';
import { type ExplainedActivity, type RuleReason, ruleReasonsOf } from '../../../src/rules/explain/ruleReasonsOf';
import { compareRules, type Rule } from '../../../src/rules/format/rule';
import type { Decision } from '../../../src/rules/language/decision';
import { scaled } from '../../support/scale';
import { activity, decideWith, noon, rule, type Scene, TestTarget } from '../builders';
import { randomCase } from '../differential/randomCase';

/** A value as the database returns it. */
function stored<T extends object>(value: T): T & Record<string, unknown> {
  return BSON.deserialize(BSON.serialize({ value }, { ignoreUndefined: true })).value;
}

/** The past activity that a decision leaves in a history. */
function pastOf(decision: Decision, given: Activity) {
  const { kept } = decision;
  const reads = factSnapshotOf(decision.factsRead).map((read) => stored(read));
  const past: ExplainedActivity = {
    date: given.date,
    facts: pastFacts({ activity: stored(given), now: noon }, reads),
    lineItems: given.lineItems.length,
    stored: new Map(kept.map((match) => [match.key, match])),
  };
  return past;
}

async function replay(rules: readonly Rule[], scene: Scene = {}) {
  const given = scene.activity ?? activity();
  const { decision } = await decideWith(rules, { ...scene, activity: given });
  const inOrder = [...rules].sort(compareRules);
  return { decision, inOrder, given, replayed: ruleReasonsOf(inOrder, pastOf(decision, given)) };
}

/** The part that must be the same for the decision and the replay. Values are as the database returns them. */
function plain(matches: readonly RuleReason[]) {
  return matches.map(({ lacking, notKept, rule: id, ...match }) => ({ ...stored(match), notKept }));
}

const value = { fact: 'activity', path: '$.value' };
const hour = { fact: 'hour' };
const over = (than: number) => ({ ...value, operator: 'greaterThan', value: than });

describe('replayRules', () => {
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

  it('says what was not kept instead of guessing, and still tells what failed for certain', async () => {
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
    const replayed = ruleReasonsOf([...rules].sort(compareRules), {
      ...pastOf(decision, activity()),
      facts: pastFacts({ activity: { ...activity() }, now: noon }, undefined),
    });
    const told = explainMatches(replayed, { rules, date: noon, timezone: 'UTC', errors: [] });
    expect(Object.fromEntries(told.map(({ key, notKept, sentence }) => [key, { notKept, sentence }]))).toEqual({
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

  it('replays what every rule was told at the time, for any rules and activity, and explains it', async () => {
    await fc.assert(
      fc.asyncProperty(randomCase, fc.infiniteStream(variant), async ({ conditions, facts }, variants) => {
        const given = activityOf(facts.activity);
        const rules = conditions.map((each, n) =>
          rule({ key: `r${n}`, activityTypes: [given.type], conditions: withoutLists(each), ...variants.next().value }),
        );
        const target = new TestTarget(0, memberOf(facts.member));
        const { decision, inOrder, replayed } = await replay(rules, { activity: given, target });
        expect(plain(replayed)).toEqual(plain(decision.ruleMatch));
        const context = { rules, date: given.date, timezone: 'UTC', errors: decision.errors };
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

/** The sum of the amounts that are numbers. */
const worth = ({ actions }: Rule) =>
  actions.reduce(
    (sum, action) => sum + ('points' in action && typeof action.points === 'number' ? action.points : 0),
    0,
  );

describe('nearestMiss', () => {
  const nearest = async (rules: readonly Rule[]) => {
    const { replayed, inOrder } = await replay(rules);
    return nearestMiss(replayed, { rules: inOrder, timezone: 'UTC', worthOf: worth });
  };

  it('is a rule that would refuse the activity only when there is no other', async () => {
    const refuses = rule({
      key: 'refuses',
      conditions: { all: [over(200)] },
      actions: [{ type: 'reject', message: 'no' }],
    });
    const awards = rule({ key: 'awards', conditions: { all: [over(200), over(300)] } });
    expect((await nearest([refuses, awards]))?.key).toBe('awards');
    expect((await nearest([refuses]))?.key).toBe('refuses');
  });

  it('is the rule that lacks least by value, and among equals the one worth most', async () => {
    const give = (key: string, limit: number, points: number) =>
      rule({ key, conditions: { all: [over(limit)] }, actions: [{ type: 'addPoints', purse: 'Points', points }] });
    expect((await nearest([give('far', 1000, 900), give('close', 110, 1), give('further', 120, 50)]))?.key).toBe(
      'close',
    );
    expect((await nearest([give('little', 110, 1), give('much', 110, 50), give('some', 110, 7)]))?.key).toBe('much');
    const branches = { any: [over(900), over(101), over(500)] };
    expect((await nearest([rule({ conditions: branches })]))?.failedConditions).toMatchObject([{ expected: 101 }]);
  });

  it('names what the line item lacks that is nearest by value', async () => {
    const dear = rule({
      key: 'dear',
      perLine: true,
      conditions: { all: [{ fact: 'lineItem', path: '$.itemAmount', operator: 'greaterThan', value: 100 }] },
    });
    const given = activity({ lineItems: [{ itemAmount: 1 }, { itemAmount: 99 }, { itemAmount: 50 }] });
    const { replayed, inOrder } = await replay([dear], { activity: given });
    const miss = nearestMiss(replayed, { rules: inOrder, timezone: 'UTC', worthOf: worth });
    expect(miss?.failedConditions).toMatchObject([{ actual: 99 }]);
  });

  it('is the rule with the fewest failed conditions, the first of equals', async () => {
    const rules = [
      rule({ key: 'far', priority: 9, conditions: { all: [over(200), over(300), over(5)] } }),
      rule({ key: 'near', priority: 8, conditions: { any: [{ all: [over(200), over(201)] }, over(120)] } }),
      rule({ key: 'equal', priority: 7, conditions: { not: over(10) } }),
      rule({ key: 'fires', priority: 6 }),
      rule({ key: 'draft', priority: 5, status: 'draft', conditions: { all: [over(101)] } }),
    ];
    expect(await nearest(rules)).toEqual({
      rule: expect.any(ObjectId),
      key: 'near',
      name: 'Rule near',
      lacking: 1,
      failedConditions: [{ ...over(120), value: undefined, expected: 120, actual: 100 }].map(
        ({ value: _, ...failed }) => failed,
      ),
      sentence: "Rule near lacked one condition: the activity's value is above 120: it was 100.",
    });
  });

  it('counts segments as well, and names every condition', async () => {
    expect(await nearest([rule({ segments: ['VIP'], conditions: { all: [over(200)] } })])).toMatchObject({
      lacking: 2,
      sentence:
        'Rule base lacked 2 conditions: the member is in one of the segments "VIP": it was in none; ' +
        "the activity's value is above 200: it was 100.",
    });
  });

  it('is none when every rule fired', async () => expect(await nearest([rule()])).toBeNull());
});

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
