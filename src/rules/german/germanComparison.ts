import type { Side } from '../explain/comparisonPhrase';
import { daysOf } from '../language/operators';
import { germanTerm } from './germanPeriod';

/** A comparison in German: `Wert der Aktivität ist mindestens 100`. An unknown operator appears by its name. */
export function germanComparison(operator: string, fact: Side, value: Side): string {
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

/** How each decorator changes a comparison, the outermost first. */
const decorations: ReadonlyMap<string, (said: Said) => Said> = new Map([
  ['not', (said: Said) => ({ ...said, negated: !said.negated })],
  ['swap', ({ fact, value, negated }: Said) => ({ fact: value, value: fact, negated })],
  ['someFact', ({ fact, value, negated }: Said) => of(negated ? 'kein Element' : 'ein Element', fact, value)],
  ['everyFact', ({ fact, value, negated }: Said) => of(negated ? 'nicht jedes Element' : 'jedes Element', fact, value)],
  ['someValue', ({ fact, value, negated }: Said) => each(fact, negated ? 'keines' : 'mindestens eines', value, false)],
  ['everyValue', ({ fact, value, negated }: Said) => each(fact, 'jedes', value, negated)],
]);

function of(quantity: string, { text }: Side, value: Side): Said {
  return { fact: { text: `${quantity} von ${text}` }, value, negated: false };
}

function each(fact: Side, quantity: string, { text }: Side, negated: boolean): Said {
  return { fact, value: { text: `${quantity} von ${text}` }, negated };
}

function predicate(base: string, value: Side, negated: boolean): string {
  if (base === 'isEmpty' && typeof value.literal === 'boolean') {
    return value.literal === negated ? 'ist nicht leer' : 'ist leer';
  }
  if (base === 'withinDays') {
    const { days, direction = 'both' } = daysOf(value.literal) ?? {};
    if (days !== undefined) {
      return `liegt ${negated ? 'nicht ' : ''}höchstens ${germanTerm(days, 'day')} ${sides[direction]} dem Zeitpunkt der Aktivität`;
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
