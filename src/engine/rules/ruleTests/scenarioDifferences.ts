import { isDeepStrictEqual } from 'node:util';
import { joinMessages, type Message, message } from '#base/common/messages/message';
import type { Rule, RuleTest } from '../format/rule';
import type { StepExpected } from '../format/scenarioShape';
import type { Expected } from '../format/testSteps';
import type { NamedAmount, StepOutcome } from './scenario';
import { dataDifference, errorText, jsonMessage, namedErrors, notFired } from './testDifferences';

/**
 * The differences between the expected and actual results of a test with steps, in words. Those of a step name it, and
 * say what moved its points. `expect` of the test is for all steps together.
 */
export function scenarioDifferences(
  { expect }: RuleTest,
  outcomes: readonly StepOutcome[],
  rules: readonly Rule[],
): Message[] {
  const own = outcomes.flatMap((each) => {
    const wanted = each.step.expect;
    if (!wanted) return [];
    const found = [...differences(wanted, [each], rules), ...stateDifferences(wanted, each)];
    const notes = each.notes.join(' ');
    return found.map((difference, index) => {
      const noted = index === 0 && notes !== '' ? message('ruleTests.withNotes', { difference, notes }) : difference;
      return message('ruleTests.atStep', { step: named(each), difference: noted });
    });
  });
  const expectsError = ({ step }: StepOutcome) => step.expect?.error !== undefined;
  const untold = expect.error === undefined ? outcomes.filter((each) => !expectsError(each)) : outcomes;
  const errors = errorDifferences(expect.error, untold, true);
  return [...errors, ...changes(expect, outcomes, rules), ...own];
}

function named({ at, title }: StepOutcome): Message {
  return message('ruleTests.step', { number: Number(at.at(-1)) + 1, title });
}

function differences(wanted: Expected, outcomes: readonly StepOutcome[], rules: readonly Rule[]): Message[] {
  return [...errorDifferences(wanted.error, outcomes, false), ...changes(wanted, outcomes, rules)];
}

function changes(wanted: Expected, outcomes: readonly StepOutcome[], rules: readonly Rule[]): Message[] {
  const points = Object.entries(wanted.points ?? {}).flatMap(([purse, points]) => {
    const got = outcomes.reduce((sum, step) => sum + (step.points[purse] ?? 0), 0);
    return got === points ? [] : [message('ruleTests.points', { points, purse, got })];
  });
  const fired = new Set(outcomes.flatMap((step) => step.fired));
  const keys = new Set(rules.filter(({ key }) => fired.has(key)).flatMap(({ key, row }) => [key, row?.table ?? key]));
  const missed = (wanted.fired ?? []).filter((key) => !keys.has(key)).map((key) => notFired(key, why(key, outcomes)));
  const extra = (wanted.notFired ?? [])
    .filter((key) => keys.has(key))
    .map((key) => message('ruleTests.fired', { key }));
  const set: Record<string, unknown> = Object.assign({}, ...outcomes.map((step) => step.data));
  const data = Object.entries(wanted.data ?? {}).flatMap(([name, value]) =>
    isDeepStrictEqual(set[name], value) ? [] : [dataDifference(name, value, set[name])],
  );
  return [...points, ...missed, ...extra, ...data];
}

/** Why a rule did not fire, at the last step that it was evaluated for. */
function why(key: string, outcomes: readonly StepOutcome[]): string | undefined {
  return outcomes.flatMap(({ reasons }) => reasons.get(key) ?? []).at(-1);
}

/** What the member has after the step, and what a cancel returned. */
function stateDifferences(wanted: StepExpected, outcome: StepOutcome): Message[] {
  const numbers = (['balance', 'available'] as const).flatMap((field) =>
    Object.entries(wanted[field] ?? {}).flatMap(([purse, points]) => {
      const got = outcome[field][purse] ?? 0;
      return got === points ? [] : [message(`ruleTests.${field}`, { points, purse, got })];
    }),
  );
  const levels = Object.entries(wanted.levels ?? {}).flatMap(([policy, level]) => {
    const got = outcome.levels[policy] ?? null;
    return got === level
      ? []
      : [message('ruleTests.level', { level: jsonMessage(level), policy, got: jsonMessage(got) })];
  });
  const returned = Object.entries(wanted.returned ?? {}).flatMap(([key, points]) => {
    const got = outcome.returned[key] ?? 0;
    return got === points ? [] : [message('ruleTests.returned', { points, key, got })];
  });
  return [...numbers, ...levels, ...returned, ...grantDifferences(wanted, outcome)];
}

/** How the differences tell what a step gave beside points, by the fields of {@link StepOutcome}. */
const grantMessages = {
  offers: (name: string, value: number) => message('ruleTests.applied', { name, value }),
  rewards: (name: string, value: number) => message('ruleTests.issued', { name, value }),
  money: (name: string, value: number) => message('ruleTests.inMoney', { name, value }),
  pool: (name: string, value: number) => message('ruleTests.forHead', { name, value }),
} as const;

/** What a step gave beside points. An empty object expects that nothing of the kind happened. */
function grantDifferences(wanted: StepExpected, outcome: StepOutcome): Message[] {
  return (['offers', 'rewards', 'money', 'pool'] as const).flatMap((field) => {
    const expected = wanted[field];
    if (!expected) return [];
    if (Object.keys(expected).length === 0) return unwanted(field, outcome[field]);
    return Object.entries(expected).flatMap(([name, value]) => {
      const own = outcome[field].filter(({ names }) => names.includes(name));
      const isMissing = field === 'offers' && own.length === 0;
      const got = isMissing ? null : own.reduce((sum, each) => sum + each.value, 0);
      if (got === value) return [];
      const expectation =
        value === null ? message('ruleTests.notApplied', { name }) : grantMessages[field](name, value);
      return [message('ruleTests.given', { asked: expectation, got: got ?? message('ruleTests.none') })];
    });
  });
}

const noneExpected = {
  offers: 'ruleTests.noOffers',
  rewards: 'ruleTests.noRewards',
  money: 'ruleTests.noMoney',
  pool: 'ruleTests.noPool',
} as const;

function unwanted(field: keyof typeof grantMessages, grants: readonly NamedAmount[]): Message[] {
  const phrases = grants.map(({ names: [name = ''], value }) => grantMessages[field](name, value));
  return phrases.length === 0 ? [] : [message(noneExpected[field], { got: joinMessages('comma', phrases) })];
}

/** @param areNamed each unexpected error says its step */
function errorDifferences(
  wanted: number | string | undefined,
  outcomes: readonly StepOutcome[],
  areNamed: boolean,
): Message[] {
  const phrases = outcomes.flatMap((step) =>
    step.errors.map((error) =>
      areNamed ? message('ruleTests.errorAtStep', { error: errorText(error), step: named(step) }) : errorText(error),
    ),
  );
  const got = namedErrors(phrases);
  if (wanted === undefined)
    return phrases.length === 0 || !areNamed ? [] : [message('ruleTests.unexpectedError', { got })];
  const isMet = outcomes.some(({ errors }) =>
    errors.some((error) => error.code === wanted || error.message === wanted),
  );
  return isMet ? [] : [message('ruleTests.error', { wanted, got })];
}
