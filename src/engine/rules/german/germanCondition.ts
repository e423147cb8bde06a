import { conditionTree, type TreeWords } from '../explain/conditionTree';
import type { Side } from '../explain/decoratedComparison';
import { conditionStatement, phraseLiteral, writtenAs } from '../explain/explainCondition';
import type { Comparison, Condition } from '../language/condition';
import type { FailedCondition } from '../language/decision';
import { isFactRef } from '../language/factRef';
import type { ShownRef } from '../words/factPhrase';
import { germanFact, germanStatements } from '../words/german/germanFact';
import { germanValue } from '../words/german/germanValue';
import { germanComparison } from './germanComparison';

/** A comparison in German: `Wert der Aktivität ist mindestens 964`. */
export function germanComparisonSentence({ operator, value, ...ref }: Comparison): string {
  const right: Side = isFactRef(value)
    ? { text: germanFact(value) }
    : { text: literalText(ref.fact, value), literal: value };
  return (
    conditionStatement(germanStatements, ref.fact, operator, value) ??
    germanComparison(operator, { text: germanFact(ref) }, right)
  );
}

/** Conditions as indented lines in German, in the order of the file. */
export function germanConditionLines(condition: Condition, indent = ''): string[] {
  return conditionTree(condition, treeWords, indent);
}

const treeWords: TreeWords = {
  all: 'alles davon gilt:',
  any: 'mindestens eines davon gilt:',
  not: 'Folgendes nicht gilt:',
  empty: 'immer',
  comparison: germanComparisonSentence,
};

/** A failed condition with the value of the fact: `Wert der Aktivität ist mindestens 964; der Wert war 831`. */
export function germanFailed(failed: FailedCondition, conditions?: Condition): string {
  const { fact, path, operator, expected, actual } = failed;
  const audience = audienceSentence(failed);
  if (audience !== undefined) return audience;
  const statement = conditionStatement(germanStatements, fact, operator, expected);
  if (statement !== undefined) return `${statement}; das ${actual === undefined ? 'fehlte' : 'war nicht so'}`;
  const written = conditions && writtenAs(failed, conditions);
  const ref: ShownRef = { fact, path, params: written?.params };
  const text = literalText(fact, expected);
  const right: Side =
    written && isFactRef(written.value)
      ? { text: `${germanFact(written.value)} (${text})` }
      : { text, literal: expected };
  const was = actual === undefined ? 'der Wert fehlte' : `der Wert war ${literalText(fact, actual)}`;
  return `${germanComparison(operator, { text: germanFact(ref) }, right)}; ${was}`;
}

/** A failed check of a rule's segments or tiers, which appears as a condition that no rule can contain. */
function audienceSentence({ fact, path, operator, expected, actual }: FailedCondition): string | undefined {
  if (fact !== 'member' || operator !== 'someFact:in') return undefined;
  const was = Array.isArray(actual) && actual.length === 0 ? 'in keinem' : `in ${germanValue(actual)}`;
  if (path === '$.segments') return `das Mitglied ist in einem der Segmente ${germanValue(expected)}; es war ${was}`;
  if (path !== '$.tier') return undefined;
  const had = Array.isArray(actual) && actual.length === 0 ? 'keine' : germanValue(actual);
  return `das Mitglied hat eine der Stufen ${germanValue(expected)}; es hatte ${had}`;
}

function literalText(fact: string, value: unknown): string {
  return phraseLiteral(fact, value, weekdays, germanValue);
}

const weekdays = ['Sonntag', 'Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag'];
