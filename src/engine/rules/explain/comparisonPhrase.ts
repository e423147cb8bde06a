import { operators, readWithinDays } from '../language/operators';
import { decoratedComparison, type ElementWords, type Side } from './decoratedComparison';

/** A comparison in words: `the activity's value is at least 100`. An unknown operator appears by its name. */
export function comparisonPhrase(operator: string, fact: Side, value: Side): string {
  const phrased = decoratedComparison(operator, fact, value, elements);
  return `${phrased.fact.text} ${predicate(phrased.base, phrased.value, phrased.negated)}`;
}

const elements: ElementWords = {
  of: 'of',
  someFact: ['some element', 'no element'],
  everyFact: ['every element', 'not every element'],
  someValue: ['at least one', 'none'],
  everyValue: 'each',
};

function predicate(base: string, value: Side, negated: boolean): string {
  const special = specials.get(base)?.(value.literal, negated);
  if (special !== undefined) return special;
  const [yes, no] = predicates.get(base) ?? unknownPredicate(base);
  return `${negated ? no : yes} ${value.text}`;
}

const predicates: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['equal', ['is', 'is not']],
  ['notEqual', ['is not', 'is']],
  ['in', ['is one of', 'is none of']],
  ['notIn', ['is none of', 'is one of']],
  ['contains', ['has the element', 'does not have the element']],
  ['doesNotContain', ['does not have the element', 'has the element']],
  ['lessThan', ['is below', 'is not below']],
  ['lessThanInclusive', ['is at most', 'is not at most']],
  ['greaterThan', ['is above', 'is not above']],
  ['greaterThanInclusive', ['is at least', 'is not at least']],
  ['before', ['is earlier than', 'is not earlier than']],
  ['after', ['is later than', 'is not later than']],
  ['between', ['lies in the range', 'does not lie in the range']],
  ['startsWith', ['begins with', 'does not begin with']],
  ['matches', ['matches', 'does not match']],
  ['inNamedList', ['is in the named list', 'is not in the named list']],
]);

/** Operators that make their literal part of the sentence. Undefined when the operator does not accept the literal. */
const specials: ReadonlyMap<string, (literal: unknown, negated: boolean) => string | undefined> = new Map([
  ['isEmpty', (wanted: unknown, negated: boolean) => isOrNot(wanted, negated, 'empty')],
  [
    'withinDays',
    (value: unknown, negated: boolean) => {
      const { days, direction = 'both' } = readWithinDays(value) ?? {};
      return days === undefined
        ? undefined
        : `is ${negated ? 'not ' : ''}within ${days} ${days === 1 ? 'day' : 'days'} ${sides[direction]} the activity's date`;
    },
  ],
]);

const sides = { both: 'of', past: 'before', future: 'after' } as const;

function isOrNot(wanted: unknown, negated: boolean, state: string): string | undefined {
  if (typeof wanted !== 'boolean') return undefined;
  return wanted === negated ? `is not ${state}` : `is ${state}`;
}

function unknownPredicate(base: string): readonly [string, string] {
  const says = Object.hasOwn(operators, base) ? (operators[base]?.description ?? base) : base;
  return [`${says}:`, `not so: ${says}:`];
}
