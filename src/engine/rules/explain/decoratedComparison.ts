/** One side of a comparison: its words, and its literal if it is one. */
export interface Side {
  text: string;
  literal?: unknown;
}

/** How a language phrases elements of lists. Pairs are the plain and the negated phrase. */
export interface ElementWords {
  of: string;
  someFact: readonly [string, string];
  everyFact: readonly [string, string];
  someValue: readonly [string, string];
  everyValue: string;
}

/** A comparison after its decorators moved into the phrases of its sides. */
export interface PhrasedComparison {
  base: string;
  fact: Side;
  value: Side;
  negated: boolean;
}

type UndecoratedPhrase = Omit<PhrasedComparison, 'base'>;

/** Puts the decorators of an operator, as `not:someFact:equal` has them, into the sides of a comparison. */
export function decoratedComparison(operator: string, fact: Side, value: Side, words: ElementWords): PhrasedComparison {
  const decorators = operator.split(':');
  const base = decorators.pop() ?? '';
  const phrased = decorators.reduce<UndecoratedPhrase>(
    (before, word) => decorations.get(word)?.(before, words) ?? before,
    {
      fact,
      value,
      negated: false,
    },
  );
  return { base, ...phrased };
}

/**
 * How each decorator changes a comparison, the outermost first. "no element" and "none" contain the negation, so what
 * follows them is not negated.
 */
const decorations: ReadonlyMap<string, (phrased: UndecoratedPhrase, words: ElementWords) => UndecoratedPhrase> =
  new Map([
    ['not', (phrased: UndecoratedPhrase) => ({ ...phrased, negated: !phrased.negated })],
    ['swap', ({ fact, value, negated }: UndecoratedPhrase) => ({ fact: value, value: fact, negated })],
    ['someFact', (phrased: UndecoratedPhrase, { someFact, of }: ElementWords) => elementsOfFact(phrased, someFact, of)],
    [
      'everyFact',
      (phrased: UndecoratedPhrase, { everyFact, of }: ElementWords) => elementsOfFact(phrased, everyFact, of),
    ],
    [
      'someValue',
      ({ fact, value, negated }: UndecoratedPhrase, { someValue: [some, none], of }: ElementWords) => ({
        fact,
        value: { text: `${negated ? none : some} ${of} ${value.text}` },
        negated: false,
      }),
    ],
    [
      'everyValue',
      ({ fact, value, negated }: UndecoratedPhrase, { everyValue, of }: ElementWords) => ({
        fact,
        value: { text: `${everyValue} ${of} ${value.text}` },
        negated,
      }),
    ],
  ]);

function elementsOfFact(
  { fact, value, negated }: UndecoratedPhrase,
  [yes, no]: readonly [string, string],
  of: string,
): UndecoratedPhrase {
  return { fact: { text: `${negated ? no : yes} ${of} ${fact.text}` }, value, negated: false };
}
