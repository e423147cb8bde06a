import { Type } from '@sinclair/typebox';
import Big from 'big.js';
import { list, record } from '#base/schema/atoms';
import { ifThenElse } from '#base/schema/ifThenElse';
import { EvaluationError } from './evaluationError';
import { type FactRef, factRef, isFactRef, numberAt, type ReadRef } from './factRef';

/** A number, a fact, or a computation of others. */
export type Operand = number | FactRef | Computation;

/** A value computed from several operands, such as `{sum: [a, b]}`. It has one of {@link computationWords}. */
export type Computation = Readonly<Partial<Record<ComputationWord, readonly Operand[]>>>;

/** Most levels of a computation, and most operands on all its levels. */
export const computationLimits = { depthMax: 5, operandsMax: 30 } as const;

/** A fraction: `under` is above 0. Nothing is divided before the end, so nothing is rounded before it either. */
export interface Fraction {
  over: Big;
  under: Big;
}

interface Word {
  description: string;
  /** Only two operands, whose order matters. */
  isPair?: true;
  compute(operands: readonly Fraction[]): Fraction;
}

const one = new Big(1);
const zero: Fraction = { over: new Big(0), under: one };

/** The ways to compute a value from operands. */
const words = {
  sum: { description: 'All of them together', compute: (all) => all.reduce(plus) },
  difference: { description: 'The first less the second', isPair: true, compute: ([a = zero, b = zero]) => less(a, b) },
  product: { description: 'The first times the second, and so on', compute: (all) => all.reduce(multiplied) },
  least: { description: 'The smallest of them', compute: (all) => all.reduce((a, b) => (isBelow(b, a) ? b : a)) },
  greatest: { description: 'The largest of them', compute: (all) => all.reduce((a, b) => (isBelow(a, b) ? b : a)) },
  share: {
    description: 'The first divided by the second; 0 when the second is 0',
    isPair: true,
    compute: ([a = zero, b = zero]) => divided(a, b),
  },
} satisfies Record<string, Word>;

export type ComputationWord = keyof typeof words;

/** The words of computations with their descriptions, in the order of the reference. */
export const computationWords: Readonly<Record<ComputationWord, Word>> = words;

/** The schema of a computation. `checkAmount` checks its operands, because they contain computations too. */
export const computation = record(
  Object.fromEntries(
    Object.entries<Word>(words).map(([word, { description, isPair }]) => [
      word,
      Type.Optional(
        list(Type.Unsafe<Operand>({ 'x-def': 'operand' }), isPair ? 2 : computationLimits.operandsMax, {
          minItems: 2,
          description,
        }),
      ),
    ]),
  ),
  { minProperties: 1, maxProperties: 1 },
);

/** The schema of what an amount is computed from: a fact, or a computation. */
export const amountBase = Type.Unsafe<FactRef | Computation>({
  description: 'A fact, or a computation',
  ...ifThenElse({ type: 'object', properties: { fact: {} }, required: ['fact'] }, factRef, computation),
});

/** The facts in an operand, in the order of the file. */
export function refsIn(operand: Operand): FactRef[] {
  if (typeof operand === 'number') return [];
  return isFactRef(operand) ? [operand] : splitComputation(operand).operands.flatMap(refsIn);
}

/** The word and the operands of a computation. One of another version of the service may have a word unknown here. */
export function splitComputation(computation: Computation): { word: string; operands: readonly Operand[] } {
  const [[word, operands] = ['', []]] = Object.entries(computation);
  return { word, operands };
}

/**
 * Computes an operand exactly. A missing fact counts as 0.
 * @throws EvaluationError when a fact is not a finite number
 */
export function computed(operand: Operand, readFact: ReadRef): Fraction {
  if (typeof operand === 'number') return toFraction(operand);
  if (isFactRef(operand)) return toFraction(numberAt(operand, readFact) ?? 0);
  const { word, operands } = splitComputation(operand);
  if (!isWord(word)) throw new EvaluationError(`unknown computation ${word}`);
  return words[word].compute(operands.map((each) => computed(each, readFact)));
}

function isWord(word: string): word is ComputationWord {
  return Object.hasOwn(words, word);
}

/** A number as a fraction. */
export function toFraction(value: number): Fraction {
  return { over: new Big(value), under: one };
}

/** The product of a fraction and a number. */
export function times({ over, under }: Fraction, factor: number): Fraction {
  return { over: over.times(factor), under };
}

/** Tells whether the first fraction is smaller than the second. */
export function isBelow(a: Fraction, b: Fraction): boolean {
  return a.over.times(b.under).lt(b.over.times(a.under));
}

/** The largest whole number that is not above a fraction. */
export function floorFraction({ over, under }: Fraction): Big {
  const quotient = over.div(under);
  const truncated = quotient.round(0, Big.roundDown);
  const floor = truncated.gt(quotient) ? truncated.minus(1) : truncated;
  // big.js divides to 20 decimals, so the quotient may have been rounded up to the next whole number.
  return floor.times(under).gt(over) ? floor.minus(1) : floor;
}

function plus(a: Fraction, b: Fraction): Fraction {
  return { over: a.over.times(b.under).plus(b.over.times(a.under)), under: a.under.times(b.under) };
}

function less(a: Fraction, b: Fraction): Fraction {
  return plus(a, times(b, -1));
}

function multiplied(a: Fraction, b: Fraction): Fraction {
  return { over: a.over.times(b.over), under: a.under.times(b.under) };
}

function divided(a: Fraction, b: Fraction): Fraction {
  if (b.over.eq(0)) return zero;
  const sign = b.over.lt(0) ? -1 : 1;
  return { over: a.over.times(b.under).times(sign), under: a.under.times(b.over).times(sign) };
}
