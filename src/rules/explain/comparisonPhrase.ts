import { daysOf, operators } from '../language/operators';

/** One side of a comparison: its words, and its literal if it is one. */
export interface Side {
  text: string;
  literal?: unknown;
}

/** A comparison in words: `the activity's value is at least 100`. An unknown operator appears by its name. */
export function comparisonPhrase(operator: string, fact: Side, value: Side): string {
  const words = operator.split(':');
  const base = words.pop() ?? '';
  const said = words.reduce<Said>((before, word) => decorations.get(word)?.(before) ?? before, {
    fact,
    value,
    negated: false,
  });
  return `${said.fact.text} ${predicate(base, said.value, said.negated)}`;
}

interface Said {
  fact: Side;
  value: Side;
  negated: boolean;
}

/** How each decorator changes a comparison, the outermost first. "no element" and "none" contain the negation. */
const decorations: ReadonlyMap<string, (said: Said) => Said> = new Map([
  ['not', (said: Said) => ({ ...said, negated: !said.negated })],
  ['swap', ({ fact, value, negated }: Said) => ({ fact: value, value: fact, negated })],
  ['someFact', ({ fact, value, negated }: Said) => of(negated ? 'no element' : 'some element', fact, value)],
  ['everyFact', ({ fact, value, negated }: Said) => of(negated ? 'not every element' : 'every element', fact, value)],
  ['someValue', ({ fact, value, negated }: Said) => each(fact, negated ? 'none' : 'at least one', value, false)],
  ['everyValue', ({ fact, value, negated }: Said) => each(fact, 'each', value, negated)],
]);

function of(quantity: string, { text }: Side, value: Side): Said {
  return { fact: { text: `${quantity} of ${text}` }, value, negated: false };
}

function each(fact: Side, quantity: string, { text }: Side, negated: boolean): Said {
  return { fact, value: { text: `${quantity} of ${text}` }, negated };
}

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

/** Operators whose literal becomes part of the sentence. Undefined when the operator does not accept the literal. */
const specials: ReadonlyMap<string, (literal: unknown, negated: boolean) => string | undefined> = new Map([
  ['isEmpty', (wanted: unknown, negated: boolean) => isOrNot(wanted, negated, 'empty')],
  [
    'withinDays',
    (value: unknown, negated: boolean) => {
      const { days, direction = 'both' } = daysOf(value) ?? {};
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
