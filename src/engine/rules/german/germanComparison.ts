import { termWords } from '#base/calendar/termWords';
import { decoratedComparison, type ElementWords, type Side } from '../explain/decoratedComparison';
import { readWithinDays } from '../language/operators';

/** A comparison in German: `Wert der Aktivität ist mindestens 100`. An unknown operator appears by its name. */
export function germanComparison(operator: string, fact: Side, value: Side): string {
  const phrased = decoratedComparison(operator, fact, value, elements);
  return `${phrased.fact.text} ${predicate(phrased.base, phrased.value, phrased.negated)}`;
}

const elements: ElementWords = {
  of: 'von',
  someFact: ['ein Element', 'kein Element'],
  everyFact: ['jedes Element', 'nicht jedes Element'],
  someValue: ['mindestens eines', 'keines'],
  everyValue: 'jedes',
};

function predicate(base: string, value: Side, negated: boolean): string {
  if (base === 'isEmpty' && typeof value.literal === 'boolean') {
    return value.literal === negated ? 'ist nicht leer' : 'ist leer';
  }
  if (base === 'withinDays') {
    const { days, direction = 'both' } = readWithinDays(value.literal) ?? {};
    if (days !== undefined) {
      return `liegt ${negated ? 'nicht ' : ''}höchstens ${termWords(days, 'day', 'de')} ${sides[direction]} dem Zeitpunkt der Aktivität`;
    }
  }
  const [yes, no] = germanPredicates.get(base) ?? [`${base}:`, `nicht ${base}:`];
  return `${negated ? no : yes} ${value.text}`;
}

const sides = { both: 'vor oder nach', past: 'vor', future: 'nach' } as const;

/** What an operator says, and its negation. */
export const germanPredicates: ReadonlyMap<string, readonly [string, string]> = new Map([
  ['equal', ['ist', 'ist nicht']],
  ['notEqual', ['ist nicht', 'ist']],
  ['in', ['ist eines von', 'ist keines von']],
  ['notIn', ['ist keines von', 'ist eines von']],
  ['contains', ['enthält', 'enthält nicht']],
  ['doesNotContain', ['enthält nicht', 'enthält']],
  ['lessThan', ['ist kleiner als', 'ist nicht kleiner als']],
  ['lessThanInclusive', ['ist höchstens', 'ist nicht höchstens']],
  ['greaterThan', ['ist größer als', 'ist nicht größer als']],
  ['greaterThanInclusive', ['ist mindestens', 'ist nicht mindestens']],
  ['before', ['ist vor', 'ist nicht vor']],
  ['after', ['ist nach', 'ist nicht nach']],
  ['between', ['liegt im Bereich', 'liegt nicht im Bereich']],
  ['withinDays', ['liegt nahe der Aktivität:', 'liegt nicht nahe der Aktivität:']],
  ['startsWith', ['beginnt mit', 'beginnt nicht mit']],
  ['matches', ['passt zu', 'passt nicht zu']],
  ['inNamedList', ['steht in der Liste', 'steht nicht in der Liste']],
  ['isEmpty', ['ist leer:', 'ist nicht leer:']],
]);
