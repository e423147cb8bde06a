import { type Static, Type } from '@sinclair/typebox';
import Big from 'big.js';
import { decimal, integerMax, oneOf, record, signed } from '#base/schema/atoms';
import { ifThenElse } from '#base/schema/ifThenElse';
import {
  amountBase,
  type Computation,
  computed,
  type Fraction,
  floorFraction,
  isBelow,
  type Operand,
  refsIn,
  times as timesOf,
  toFraction,
} from './computation';
import { EvaluationError } from './evaluationError';
import { type FactRef, factRef, isFactRef, numberAt, type ReadRef, refText } from './factRef';

const optional = Type.Optional;
const bounds = {
  min: optional(signed({ description: 'At least so many' })),
  max: optional(signed({ description: 'At most so many' })),
};

/** A factor: a number above 0, or the fact that has it. */
const factor = Type.Unsafe<number | FactRef>({
  description: 'Times what `of` is: a number above 0, or a fact (a missing one gives 0); default 1',
  ...ifThenElse({ type: 'object' }, factRef, decimal({ exclusiveMinimum: 0 })),
});

const multiple = record({
  of: amountBase,
  times: optional(factor),
  round: optional(oneOf(['floor', 'ceil', 'nearest'], { description: 'Default floor' })),
  ...bounds,
});

const steps = record({
  of: amountBase,
  every: decimal({ exclusiveMinimum: 0, description: 'One step' }),
  points: Type.Integer({ minimum: 1, maximum: integerMax, description: 'For each full step' }),
  ...bounds,
});

/** The two computed forms of an {@link Amount}. */
export const amountForms = { multiple, steps } as const;

type Multiple = Static<typeof multiple>;
type Steps = Static<typeof steps>;

/** A number, a multiple of a fact or a computation, or so many for each full step of one. */
export type Amount = number | Multiple | Steps;

/** The schema of an {@link Amount}. */
export const amount = Type.Unsafe<Amount>({
  'x-def': 'amount',
  description:
    'A whole number; {of, times, round}: a multiple of a fact; {of, every, points}: points for each full step',
  ...ifThenElse(
    { type: 'object' },
    ifThenElse({ type: 'object', properties: { every: {} }, required: ['every'] }, steps, multiple),
    signed(),
  ),
});

/**
 * Computes an amount as a whole number, in exact decimal arithmetic: 0.1 × 3 is 0.3. A missing fact gives 0.
 * @param readFact returns the value of a fact in the amount
 * @param most only as much of what the amount is computed from counts
 * @throws EvaluationError when a fact is not a finite number or the result is beyond 2^53 - 1
 */
export function computeAmount(value: Amount, readFact: ReadRef, most = Number.POSITIVE_INFINITY): number {
  if (typeof value === 'number') return value;
  const base = baseAmount(value.of, readFact, most);
  if (base === undefined) return 0;
  const factor = 'every' in value ? value.every : multipleFactor(value, readFact);
  const whole = typeof base === 'number' ? wholeAmount(value, base, factor) : undefined;
  if (whole !== undefined) return whole;
  const exact = typeof base === 'number' ? toFraction(base) : base;
  const unbounded = 'every' in value ? stepPoints(value, exact) : roundedMultiple(value, exact, factor);
  const result = Number(clamp(unbounded, value).toFixed());
  if (!Number.isSafeInteger(result)) throw new EvaluationError(`the amount of ${baseText(value.of)} is too large`);
  return result;
}

/**
 * What an amount is computed from, as a number: the value of its fact or computation. 0 for a plain number.
 * @throws EvaluationError when a fact is not a finite number
 */
export function computeBaseAmount(value: Amount, readFact: ReadRef, most = Number.POSITIVE_INFINITY): number {
  if (typeof value === 'number') return 0;
  const base = baseAmount(value.of, readFact, most) ?? 0;
  return typeof base === 'number' ? base : base.over.div(base.under).toNumber();
}

/** The facts in an amount. */
export function amountReads(value: Amount): FactRef[] {
  if (typeof value === 'number') return [];
  const of = refsIn(value.of);
  return 'times' in value && typeof value.times === 'object' ? [...of, value.times] : of;
}

/** The value of a fact or computation, but at most `most`; undefined for a missing fact. */
function baseAmount(of: FactRef | Computation, readFact: ReadRef, most: number): number | Fraction | undefined {
  if (isFactRef(of)) {
    const base = numberAt(of, readFact);
    return base === undefined || base <= most ? base : most;
  }
  const base = computed(of, readFact);
  return Number.isFinite(most) && isBelow(toFraction(most), base) ? most : base;
}

function multipleFactor({ times = 1 }: Multiple, readFact: ReadRef): number {
  return typeof times === 'number' ? times : (numberAt(times, readFact) ?? 0);
}

/** A faster way for whole numbers; undefined when decimal arithmetic is needed. */
function wholeAmount(value: Multiple | Steps, base: number, factor: number): number | undefined {
  if (!Number.isSafeInteger(base) || base < 0 || !Number.isSafeInteger(factor)) return undefined;
  const result = 'every' in value ? ((base - (base % factor)) / factor) * value.points : base * factor;
  if (!Number.isSafeInteger(result)) return undefined;
  return Math.min(Math.max(result, value.min ?? result), value.max ?? Number.MAX_SAFE_INTEGER);
}

function roundedMultiple(value: Multiple, base: Fraction, factor: number): Big {
  return roundings[value.round ?? 'floor'](timesOf(base, factor));
}

function stepPoints(value: Steps, { over, under }: Fraction): Big {
  return floorFraction({ over, under: under.times(value.every) }).times(value.points);
}

function clamp(result: Big, { min, max }: { min?: number; max?: number }): Big {
  const atLeast = min !== undefined && result.lt(min) ? new Big(min) : result;
  return max !== undefined && atLeast.gt(max) ? new Big(max) : atLeast;
}

const roundings: Record<'floor' | 'ceil' | 'nearest', (exact: Fraction) => Big> = {
  floor: floorFraction,
  ceil: (exact) => floorFraction(timesOf(exact, -1)).times(-1),
  nearest: ({ over, under }) => {
    const nearest = floorFraction({ over: over.abs().times(2).plus(under), under: under.times(2) });
    return over.lt(0) ? nearest.times(-1) : nearest;
  },
};

function baseText(of: Operand): string {
  const [first] = refsIn(of);
  return first === undefined ? 'a computation' : refText(first);
}
