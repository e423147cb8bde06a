import { isDeepStrictEqual } from 'node:util';
import type { Rule, RuleTest } from '../format/rule';
import type { Expected } from '../format/testSteps';
import type { Decision } from '../language/decision';
import type { StepOutcome } from './runTest';

/**
 * The differences between the expected and actual results of a test, in words. The test's own `expect` is for all its
 * activities together: points add up, a rule fired when it fired for one of them, and the last value of a data field
 * counts. A difference for a single activity begins with the activity's position.
 */
export function testDifferences(
  { expect }: RuleTest,
  outcomes: readonly StepOutcome[],
  rules: readonly Rule[],
): string[] {
  const own = outcomes.flatMap(({ step, decision, target }) => {
    const { expect: wanted, at } = step;
    if (!wanted) return [];
    return differencesOf(wanted, [{ step, decision, target }], rules).map((each) => `${at[0]}[${at[1]}]: ${each}`);
  });
  const isTold = ({ step: { expect: wanted } }: StepOutcome) => wanted?.error !== undefined;
  // When only an activity expects an error, its errors do not count for the whole test.
  const errors = outcomes.filter((outcome) => expect.error !== undefined || !isTold(outcome));
  return [...errorDifference(expect.error, errors), ...changesOf(expect, outcomes, rules), ...own];
}

function differencesOf(expect: Expected, outcomes: readonly StepOutcome[], rules: readonly Rule[]): string[] {
  return [...errorDifference(expect.error, outcomes), ...changesOf(expect, outcomes, rules)];
}

function changesOf(expect: Expected, outcomes: readonly StepOutcome[], rules: readonly Rule[]): string[] {
  const processed = outcomes.filter(({ decision }) => decision.errors.length === 0);
  const fired = firedKeys(outcomes, rules);
  const points = Object.entries(expect.points ?? {}).flatMap(([purse, wanted]) => {
    const got = processed.reduce((sum, { target }) => sum + target.change(purse), 0);
    return got === wanted ? [] : [`expected ${wanted} ${purse}, got ${got}`];
  });
  const missed = (expect.fired ?? [])
    .filter((key) => !fired.has(key))
    .map((key) => `"${key}" did not fire${isTable(key, rules) ? ' (no row of it)' : reasonOf(key, outcomes)}`);
  const extra = (expect.notFired ?? []).filter((key) => fired.has(key)).map((key) => `"${key}" fired`);
  const set: Record<string, unknown> = Object.assign({}, ...processed.map(({ target }) => target.data));
  const data = Object.entries(expect.data ?? {}).flatMap(([name, wanted]) => {
    const got = set[name];
    return isDeepStrictEqual(got, wanted) ? [] : [`expected data ${name} ${textOf(wanted)}, got ${textOf(got)}`];
  });
  return [...points, ...missed, ...extra, ...data];
}

/** The keys of the rules that fired. For a row, the key of its table too. */
function firedKeys(outcomes: readonly StepOutcome[], rules: readonly Rule[]): Set<string> {
  const fired = new Set(outcomes.flatMap(({ decision }) => firedOf(decision)));
  return new Set(rules.filter(({ key }) => fired.has(key)).flatMap(({ key, row }) => [key, row?.table ?? key]));
}

/** The keys of the rules that fired in a decision. */
export function firedOf({ ruleMatch }: Decision): string[] {
  return ruleMatch.flatMap((match) => (match.fired ? [match.key] : []));
}

function isTable(key: string, rules: readonly Rule[]): boolean {
  return rules.some(({ row }) => row?.table === key);
}

function errorDifference(wanted: number | string | undefined, outcomes: readonly StepOutcome[]): string[] {
  const errors = outcomes.flatMap(({ decision }) => decision.errors);
  const got = errors.map(({ code, message }) => `${code} ${message}`).join(', ') || 'none';
  if (wanted === undefined) return errors.length === 0 ? [] : [`unexpected error ${got}`];
  const isMet = errors.some(({ code, message }) => code === wanted || message === wanted);
  return isMet ? [] : [`expected error ${wanted}, got ${got}`];
}

/** Why a rule did not fire, for the last activity that it was evaluated for. */
function reasonOf(key: string, outcomes: readonly StepOutcome[]): string {
  const matches = outcomes.flatMap(({ decision }) => decision.ruleMatch.filter((each) => each.key === key));
  const match = matches.at(-1);
  if (!match) return ' (it is for other activity types)';
  const { reason, failedCondition } = match;
  if (!failedCondition) return reason ? ` (${reason})` : '';
  const { fact, path, operator, expected, actual } = failedCondition;
  return ` (${fact}${path ? ` ${path}` : ''} ${operator} ${textOf(expected)}, but it is ${textOf(actual)})`;
}

function textOf(value: unknown): string {
  return JSON.stringify(value) ?? 'missing';
}
