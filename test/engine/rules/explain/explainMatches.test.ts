import { explainMatches } from '#engine/rules/explain/explainMatches';
import type { Rule } from '#engine/rules/format/rule';
import type { ProcessingError } from '#records/activities/activityHistory';
import { activity, award, decideWith, noon, rule, type Scene } from '../builders';

/** The sentences of rules by key, after deciding an activity with the value 100 at noon on a Wednesday. */
async function sentences(rules: readonly Rule[], scene: Scene = {}): Promise<Record<string, string>> {
  const { decision } = await decideWith(rules, scene);
  const errors: ProcessingError[] = decision.errors;
  const actual = explainMatches(decision.ruleMatch, { rules, date: noon, timezone: 'UTC', errors });
  return Object.fromEntries(actual.map(({ key, sentence }) => [key, sentence]));
}

const of = async (changes: Partial<Rule>, scene: Scene = {}) => (await sentences([rule(changes)], scene)).base;
const large = { all: [{ fact: 'activity', path: '$.value', operator: 'greaterThanInclusive', value: 964 }] };
const limit = { what: 'points', per: 'member', period: 'day', max: 40, onExceed: 'reduce' } as const;

describe('explainMatches', () => {
  it('says what a rule that fired gave', async () => {
    expect(await of({})).toBe('It fired for 100 points in Points.');
    expect(await of({ actions: [{ type: 'log', message: 'Hello' }] })).toBe('It fired.');
  });

  it('says which condition failed, with the actual value', async () => {
    expect(await of({ conditions: large }, { activity: activity({ value: 831 }) })).toBe(
      "It needs that the activity's value is at least 964: it was 831.",
    );
  });

  it.each<[string, Partial<Rule>]>([
    ['It is not active: its status is draft.', { status: 'draft' }],
    [
      "It begins on 1 April 2026, 00:00 (UTC): the activity's date was 11 March 2026, 12:00 (UTC).",
      { effective: { from: new Date('2026-04-01') } },
    ],
    [
      "It ended on 1 March 2026, 00:00 (UTC): the activity's date was 11 March 2026, 12:00 (UTC).",
      { effective: { to: new Date('2026-03-01') } },
    ],
    [
      'It holds on Sat from 18:00 to 22:00: it was Wed 12:00 (UTC).',
      { hours: { days: ['Sat'], from: '18:00', to: '22:00' } },
    ],
    ['It needs that the member is in one of the segments "VIP": it was in none.', { segments: ['VIP'] }],
    ['It needs that the member has one of the levels "Gold": it had none.', { tiers: ['Gold'] }],
  ])('says why a rule does not apply: %s', async (sentence, changes) => {
    expect(await of(changes)).toBe(sentence);
  });

  it('says what limits and budgets left', async () => {
    expect(await of({ limits: [limit] })).toBe(
      'It fired for 40 points in Points; it wanted 100, but its limit of 40 points per member and day left no more.',
    );
    expect(await of({ limits: [{ ...limit, onExceed: 'skip' }] })).toBe(
      'Its conditions held (for 100 points), but its limit of 40 points per member and day is used up.',
    );
    expect(await of({ limits: [{ ...limit, onExceed: 'reject' }] })).toBe(
      'Its conditions held (for 100 points), but its limit of 40 points per member and day is used up, and the activity failed by it.',
    );
    expect(await of({ budget: { points: 1 } })).toBe(
      'It fired for 1 point in Points; it wanted 100, but its budget of 1 point left no more.',
    );
  });

  it('says which rule stopped another, or won its group', async () => {
    const last = award('last', 1, { priority: 2, stop: true });
    expect(await sentences([last, award('after', 5)])).toEqual({
      last: 'It fired for 1 point in Points.',
      after: 'It did not run: the rule last fired before it, and no rule runs after that one.',
    });
    const group = { group: 'bonus', pick: 'highest' } as const;
    expect(await sentences([award('high', 9, group), award('low', 5, group)])).toEqual({
      high: 'It fired for 9 points in Points.',
      low: 'Its conditions held (for 5 points), but the rule with the most points of the group "bonus" was taken.',
    });
  });

  it('says how an activity failed, and that the fired rules have no effect', async () => {
    const reject = rule({ key: 'reject', priority: 2, actions: [{ type: 'reject', message: 'Not today.' }] });
    expect(await sentences([award('first', 1, { priority: 3 }), reject, award('after', 5)])).toEqual({
      first: 'It fired for 1 point in Points, but the activity failed, so it had no effect.',
      reject: 'It fired, and the activity failed by it: Not today.',
      after: 'It did not run: the activity had failed before.',
    });
    expect(await of({ actions: [{ type: 'redeemPoints', purse: 'Points', points: 7 }] })).toBe(
      'It failed: Not enough points.',
    );
    const broken = { fact: 'activity', path: '$.type' };
    expect(await of({ actions: [{ type: 'addPoints', purse: 'Points', points: { of: broken, times: 1 } }] })).toBe(
      'It failed: Rule base failed to evaluate: activity $.type is not a number.',
    );
  });
});
