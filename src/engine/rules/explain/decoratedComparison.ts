/** One side of a comparison: its words, and its literal if it is one. */
export interface Side {
  text: string;
  literal?: unknown;
}

/** What a language says of elements. Those with two texts: as it is, and negated. */
export interface ElementWords {
  of: string;
  someFact: readonly [string, string];
  everyFact: readonly [string, string];
  someValue: readonly [string, string];
  everyValue: string;
}

/** A comparison whose operator has no decorators any more: the sides say what they said. */
export interface PhrasedComparison {
  base: string;
  fact: Side;
  value: Side;
  negated: boolean;
}

type Said = Omit<PhrasedComparison, 'base'>;

/** Puts the decorators of an operator, as `not:someFact:equal` has them, into the sides of a comparison. */
export function decoratedComparison(operator: string, fact: Side, value: Side, words: ElementWords): PhrasedComparison {
  const decorators = operator.split(':');
  const base = decorators.pop() ?? '';
  const said = decorators.reduce<Said>((before, word) => decorations.get(word)?.(before, words) ?? before, {
    fact,
    value,
    negated: false,
  });
  return { base, ...said };
}

/**
 * How each decorator changes a comparison, the outermost first. "no element" and "none" contain the negation, so what
 * follows them is not negated.
 */
const decorations: ReadonlyMap<string, (said: Said, words: ElementWords) => Said> = new Map([
  ['not', (said: Said) => ({ ...said, negated: !said.negated })],
  ['swap', ({ fact, value, negated }: Said) => ({ fact: value, value: fact, negated })],
  ['someFact', (said: Said, { someFact, of }: ElementWords) => elementsOfFact(said, someFact, of)],
  ['everyFact', (said: Said, { everyFact, of }: ElementWords) => elementsOfFact(said, everyFact, of)],
  [
    'someValue',
    ({ fact, value, negated }: Said, { someValue: [some, none], of }: ElementWords) => ({
      fact,
      value: { text: `${negated ? none : some} ${of} ${value.text}` },
      negated: false,
    }),
  ],
  [
    'everyValue',
    ({ fact, value, negated }: Said, { everyValue, of }: ElementWords) => ({
      fact,
      value: { text: `${everyValue} ${of} ${value.text}` },
      negated,
    }),
  ],
]);

function elementsOfFact({ fact, value, negated }: Said, [yes, no]: readonly [string, string], of: string): Said {
  return { fact: { text: `${negated ? no : yes} ${of} ${fact.text}` }, value, negated: false };
}
