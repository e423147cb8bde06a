import { isDeepStrictEqual } from 'node:util';
import type { Comparison, Condition } from '../language/condition';
import type { FailedCondition } from '../language/decision';
import { isFactRef } from '../language/factRef';
import { factPhrase, type ShownRef, statements } from '../words/factPhrase';
import { valueText } from '../words/valueText';
import { comparisonPhrase } from './comparisonPhrase';
import { conditionTree, type TreeWords } from './conditionTree';
import type { Side } from './decoratedComparison';

/** A comparison in words: `the activity's value is at least 964`. */
export function comparisonSentence({ operator, value, ...ref }: Comparison): string {
  const right: Side = isFactRef(value)
    ? { text: factPhrase(value) }
    : { text: literalText(ref.fact, value), literal: value };
  return (
    conditionStatement(statements, ref.fact, operator, value) ??
    comparisonPhrase(operator, { text: factPhrase(ref) }, right)
  );
}

/** Conditions as indented lines, in the order of the file. */
export function conditionLines(condition: Condition, indent = ''): string[] {
  return conditionTree(condition, treeWords, indent);
}

const treeWords: TreeWords = {
  all: 'all of these hold:',
  any: 'at least one of these holds:',
  not: 'this does not hold:',
  empty: 'always',
  comparison: comparisonSentence,
};

/**
 * A failed condition with the value of the fact: `the activity's value is at least 964: it was 831`. A rule match does
 * not contain params, nor the fact on the right side. The conditions of the rule, when known, add both.
 */
export function failedSentence(failed: FailedCondition, conditions?: Condition): string {
  const eligibility = eligibilitySentence(failed);
  if (eligibility !== undefined) return eligibility;
  const { fact, path, operator, expected, actual } = failed;
  const written = conditions && writtenAs(failed, conditions);
  const ref: ShownRef = { fact, path, params: written?.params };
  const statement = conditionStatement(statements, fact, operator, expected);
  if (statement !== undefined) return `${statement}: it was ${actual === undefined ? 'missing' : 'not so'}`;
  const text = literalText(fact, expected);
  const right: Side =
    written && isFactRef(written.value)
      ? { text: `${factPhrase(written.value)} (${text})` }
      : { text, literal: expected };
  return `${comparisonPhrase(operator, { text: factPhrase(ref) }, right)}: it was ${literalText(fact, actual)}`;
}

/** The failed comparison as the rule has it; undefined when the rule does not have it. */
export function writtenAs(failed: FailedCondition, condition: Condition): Comparison | undefined {
  if ('all' in condition) return firstMatching(failed, condition.all);
  if ('any' in condition) return firstMatching(failed, condition.any);
  if ('not' in condition) return writtenAs(failed, condition.not);
  const { fact, path, operator, value } = condition;
  // Below a `not`, a failure is reported with the operator `not:<operator>`.
  const isItsOperator = failed.operator === operator || failed.operator === `not:${operator}`;
  if (fact !== failed.fact || path !== failed.path || !isItsOperator) return undefined;
  return isFactRef(value) || isDeepStrictEqual(value, failed.expected) ? condition : undefined;
}

function firstMatching(failed: FailedCondition, conditions: readonly Condition[]): Comparison | undefined {
  for (const condition of conditions) {
    const found = writtenAs(failed, condition);
    if (found) return found;
  }
  return undefined;
}

/** A failed check of a rule's segments or tiers appears as a condition that no rule can contain (see `ineligible`). */
function eligibilitySentence({ fact, path, operator, expected, actual }: FailedCondition): string | undefined {
  if (fact !== 'member' || operator !== 'someFact:in') return undefined;
  const was = Array.isArray(actual) && actual.length === 0 ? 'none' : valueText(actual);
  if (path === '$.segments') return `the member is in one of the segments ${valueText(expected)}: it was in ${was}`;
  return path === '$.tier' ? `the member has one of the levels ${valueText(expected)}: it had ${was}` : undefined;
}

/** The sentence for the comparison of a boolean fact with a literal, from sentences for true and for false. */
export function conditionStatement(
  sentences: ReadonlyMap<string, readonly [string, string]>,
  fact: string,
  operator: string,
  value: unknown,
): string | undefined {
  const sentence = sentences.get(fact);
  const wanted = equalities.get(operator);
  if (!sentence || wanted === undefined || typeof value !== 'boolean') return undefined;
  return value === wanted ? sentence[0] : sentence[1];
}

const equalities: ReadonlyMap<string, boolean> = new Map([
  ['equal', true],
  ['notEqual', false],
  ['not:equal', false],
  ['not:notEqual', true],
]);

function literalText(fact: string, value: unknown): string {
  return phraseLiteral(fact, value, weekdays, valueText);
}

/** The literal that a fact is compared with. Days of the week appear by their names, from Sunday on. */
export function phraseLiteral(
  fact: string,
  value: unknown,
  days: readonly string[],
  textOf: (value: unknown) => string,
): string {
  if (fact !== 'dayOfWeek') return textOf(value);
  const dayText = (day: unknown) => (typeof day === 'number' ? days[day] : undefined) ?? textOf(day);
  return Array.isArray(value) && value.length > 0 ? value.map(dayText).join(', ') : dayText(value);
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
