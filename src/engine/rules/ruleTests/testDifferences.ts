import { isDeepStrictEqual } from 'node:util';
import { joinMessages, type Message, message, pickMessage } from '#base/common/messages/message';
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
): Message[] {
  const own = outcomes.flatMap(({ step, decision, target }) => {
    const { expect: wanted, at } = step;
    if (!wanted) return [];
    return listDifferences(wanted, [{ step, decision, target }], rules).map((difference) =>
      message('ruleTests.ofActivity', { list: String(at[0]), index: String(at[1]), difference }),
    );
  });
  const expectsError = ({ step: { expect: wanted } }: StepOutcome) => wanted?.error !== undefined;
  // When only an activity expects an error, its errors do not count for the whole test.
  const errors = outcomes.filter((outcome) => expect.error !== undefined || !expectsError(outcome));
  return [...errorDifference(expect.error, errors), ...changeDifferences(expect, outcomes, rules), ...own];
}

function listDifferences(expect: Expected, outcomes: readonly StepOutcome[], rules: readonly Rule[]): Message[] {
  return [...errorDifference(expect.error, outcomes), ...changeDifferences(expect, outcomes, rules)];
}

function changeDifferences(expect: Expected, outcomes: readonly StepOutcome[], rules: readonly Rule[]): Message[] {
  const processed = outcomes.filter(({ decision }) => decision.errors.length === 0);
  const fired = firedKeys(outcomes, rules);
  const points = Object.entries(expect.points ?? {}).flatMap(([purse, wanted]) => {
    const got = processed.reduce((sum, { target }) => sum + target.change(purse), 0);
    return got === wanted ? [] : [message('ruleTests.points', { points: wanted, purse, got })];
  });
  const missed = (expect.fired ?? [])
    .filter((key) => !fired.has(key))
    .map((key) => notFired(key, isTable(key, rules) ? message('ruleTests.noRow') : notFiredReason(key, outcomes)));
  const extra = (expect.notFired ?? [])
    .filter((key) => fired.has(key))
    .map((key) => message('ruleTests.fired', { key }));
  const set: Record<string, unknown> = Object.assign({}, ...processed.map(({ target }) => target.data));
  const data = Object.entries(expect.data ?? {}).flatMap(([name, wanted]) => {
    const got = set[name];
    return isDeepStrictEqual(got, wanted) ? [] : [dataDifference(name, wanted, got)];
  });
  return [...points, ...missed, ...extra, ...data];
}

/** The keys of the rules that fired. For a row, the key of its table too. */
function firedKeys(outcomes: readonly StepOutcome[], rules: readonly Rule[]): Set<string> {
  const fired = new Set(outcomes.flatMap(({ decision }) => listFiredKeys(decision)));
  return new Set(rules.filter(({ key }) => fired.has(key)).flatMap(({ key, row }) => [key, row?.table ?? key]));
}

/** The keys of the rules that fired in a decision. */
export function listFiredKeys({ ruleMatch }: Decision): string[] {
  return ruleMatch.flatMap((match) => (match.fired ? [match.key] : []));
}

function isTable(key: string, rules: readonly Rule[]): boolean {
  return rules.some(({ row }) => row?.table === key);
}

function errorDifference(wanted: number | string | undefined, outcomes: readonly StepOutcome[]): Message[] {
  const errors = outcomes.flatMap(({ decision }) => decision.errors);
  const got = namedErrors(errors.map(errorText));
  if (wanted === undefined) return errors.length === 0 ? [] : [message('ruleTests.unexpectedError', { got })];
  const isMet = errors.some((error) => error.code === wanted || error.message === wanted);
  return isMet ? [] : [message('ruleTests.error', { wanted, got })];
}

/** An error with its code. */
export function errorText({ code, ...error }: Message & { code: number }): Message {
  return message('ruleTests.errorWithCode', { code, error: pickMessage(error) });
}

/** The errors that occurred, or that there were none. */
export function namedErrors(errors: readonly Message[]): Message {
  return errors.length === 0 ? message('ruleTests.none') : joinMessages('comma', errors);
}

/** The difference of a rule that should have fired. */
export function notFired(key: string, reason: Message | string | undefined): Message {
  return reason === undefined
    ? message('ruleTests.notFired', { key })
    : message('ruleTests.notFiredBecause', { key, reason });
}

/** The difference of a data field. */
export function dataDifference(name: string, wanted: unknown, got: unknown): Message {
  return message('ruleTests.data', { name, wanted: jsonMessage(wanted), got: jsonMessage(got) });
}

/** Why a rule did not fire, for the last activity that it was evaluated for. */
function notFiredReason(key: string, outcomes: readonly StepOutcome[]): Message | string | undefined {
  const matches = outcomes.flatMap(({ decision }) => decision.ruleMatch.filter((each) => each.key === key));
  const match = matches.at(-1);
  if (!match) return message('ruleTests.otherTypes');
  const { reason, failedCondition } = match;
  if (!failedCondition) return reason;
  const { fact, path, operator, expected, actual } = failedCondition;
  const condition = `${fact}${path ? ` ${path}` : ''} ${operator} ${jsonMessage(expected).message}`;
  return message('ruleTests.conditionFailed', { condition, actual: jsonMessage(actual) });
}

/** A value as JSON, or that there is none. */
export function jsonMessage(value: unknown): Message {
  const text = JSON.stringify(value);
  return text === undefined ? message('ruleTests.missing') : { message: text };
}
