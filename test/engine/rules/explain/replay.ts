import { BSON } from 'bson';
import { takeFactSnapshot } from '#activities/decide/buildHistory';
import { pastFacts } from '#engine/rules/explain/pastFacts';
import { type ExplainedActivity, ruleReasons } from '#engine/rules/explain/ruleReasons';
import { compareRules, type Rule } from '#engine/rules/format/rule';
import type { Decision } from '#engine/rules/language/decision';
import type { Activity } from '#records/activities/activity';
import { activity, decideWith, noon, type Scene } from '../builders';

/** A value as the database returns it. */
export function stored<T extends object>(value: T): T & Record<string, unknown> {
  return BSON.deserialize(BSON.serialize({ value }, { ignoreUndefined: true })).value;
}

/** The past activity that a decision leaves in a history. */
export function pastOf(decision: Decision, input: Activity) {
  const { kept } = decision;
  const reads = takeFactSnapshot(decision.factsRead).map((read) => stored(read));
  const past: ExplainedActivity = {
    date: input.date,
    facts: pastFacts({ activity: stored(input), now: noon }, reads),
    lineItems: input.lineItems.length,
    stored: new Map(kept.map((match) => [match.key, match])),
  };
  return past;
}

/** Decides an activity, and then says again from what is kept why each rule fired or not. */
export async function replay(rules: readonly Rule[], scene: Scene = {}) {
  const input = scene.activity ?? activity();
  const { decision } = await decideWith(rules, { ...scene, activity: input });
  const inOrder = [...rules].sort(compareRules);
  return { decision, inOrder, given: input, replayed: ruleReasons(inOrder, pastOf(decision, input)) };
}

/** The condition that the value of the activity is above a number. */
export const over = (than: number) => ({ fact: 'activity', path: '$.value', operator: 'greaterThan', value: than });

/** The sum of the amounts that are numbers. */
export const worth = ({ actions }: Rule) =>
  actions.reduce(
    (sum, action) => sum + ('points' in action && typeof action.points === 'number' ? action.points : 0),
    0,
  );
