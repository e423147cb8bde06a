import { type Static, Type } from '@sinclair/typebox';
import Big from 'big.js';
import { decimal, integerMax, oneOf, record, signed } from '../../schema/atoms';
import { when } from '../../schema/when';
import { type FactRef, factRef, refText } from './factRef';

const optional = Type.Optional;
const bounds = {
  min: optional(signed({ description: 'At least so many' })),
  max: optional(signed({ description: 'At most so many' })),
};

const multiple = record({
  of: factRef,
  times: decimal({ exclusiveMinimum: 0, description: 'Times what the fact is' }),
  round: optional(oneOf(['floor', 'ceil', 'nearest'], { description: 'Default floor' })),
  ...bounds,
});

const steps = record({
  of: factRef,
  every: decimal({ exclusiveMinimum: 0, description: 'One step' }),
  points: Type.Integer({ minimum: 1, maximum: integerMax, description: 'For each full step' }),
  ...bounds,
});

/** The two computed forms of an {@link Amount}. */
export const amountForms = { multiple, steps } as const;

type Multiple = Static<typeof multiple>;
type Steps = Static<typeof steps>;

/** A number, a multiple of a fact, or so many for each full step of a fact. */
export type Amount = number | Multiple | Steps;

/** The schema of an {@link Amount}. */
export const amount = Type.Unsafe<Amount>({
  description:
    'A whole number; {of, times, round}: a multiple of a fact; {of, every, points}: points for each full step',
  ...when(
    { type: 'object' },
    when({ type: 'object', properties: { every: {} }, required: ['every'] }, steps, multiple),
    signed(),
  ),
});

/** An evaluation error of one rule; reported with code 2900. */
export class EvaluationError extends Error {}

/**
 * Computes an amount as a whole number, in exact decimal arithmetic: 0.1 × 3 is 0.3. A missing fact gives 0.
 * @param readFact returns the value of the fact in the amount
 * @throws EvaluationError when the fact is not a finite number or the result is beyond 2^53 - 1
 */
export function amountOf(value: Amount, readFact: (ref: FactRef) => unknown): number {
  if (typeof value === 'number') return value;
  const base = readFact(value.of);
  if (base === undefined || base === null) return 0;
  if (typeof base !== 'number' || !Number.isFinite(base)) {
    throw new EvaluationError(`${refText(value.of)} is not a number`);
  }
  const whole = wholeAmount(value, base);
  if (whole !== undefined) return whole;
  const exact = 'every' in value ? stepsOf(value, base) : multipleOf(value, base);
  const result = Number(clamp(exact, value).toFixed());
  if (!Number.isSafeInteger(result)) throw new EvaluationError(`the amount of ${refText(value.of)} is too large`);
  return result;
}

/** A faster way for whole numbers; undefined when decimal arithmetic is needed. */
function wholeAmount(value: Multiple | Steps, base: number): number | undefined {
  const factor = 'every' in value ? value.every : value.times;
  if (!Number.isSafeInteger(base) || base < 0 || !Number.isSafeInteger(factor)) return undefined;
  const result = 'every' in value ? ((base - (base % factor)) / factor) * value.points : base * factor;
  if (!Number.isSafeInteger(result)) return undefined;
  return Math.min(Math.max(result, value.min ?? result), value.max ?? Number.MAX_SAFE_INTEGER);
}

function multipleOf(value: Multiple, base: number): Big {
  const product = new Big(base).times(value.times);
  return roundings[value.round ?? 'floor'](product);
}

function stepsOf(value: Steps, base: number): Big {
  const exact = new Big(base);
  let full = floor(exact.div(value.every));
  // big.js divides to 20 decimals, so the quotient may have been rounded up to the next whole step.
  if (full.times(value.every).gt(exact)) full = full.minus(1);
  return full.times(value.points);
}

function clamp(result: Big, { min, max }: { min?: number; max?: number }): Big {
  const atLeast = min !== undefined && result.lt(min) ? new Big(min) : result;
  return max !== undefined && atLeast.gt(max) ? new Big(max) : atLeast;
}

const roundings: Record<'floor' | 'ceil' | 'nearest', (exact: Big) => Big> = {
  floor,
  ceil: (exact) => floor(exact.times(-1)).times(-1),
  nearest: (exact) => exact.round(0, Big.roundHalfUp),
};

function floor(exact: Big): Big {
  const truncated = exact.round(0, Big.roundDown);
  return truncated.gt(exact) ? truncated.minus(1) : truncated;
}
