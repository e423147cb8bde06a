import { compileComparator } from '../evaluate/compileComparison';
import { comparisonRef } from '../evaluate/ruleSet';
import type { Comparison } from '../language/condition';
import { type FactRef, isFactRef, refKey } from '../language/factRef';
import { type OperatorContext, operators } from '../language/operators';

/** A comparison that must hold. When negated, it must not hold; `not:equal` is `equal` negated. */
export interface Literal {
  readonly comparison: Comparison;
  readonly ref: FactRef;
  /** Key of the fact reference: equal for comparisons of the same fact value. */
  readonly key: string;
  /** The operator without its negation. */
  readonly operator: string;
  readonly value: unknown;
  readonly negated: boolean;
  /** Equal for equal comparisons, whether negated or not. */
  readonly text: string;
  /** Whether the literal can be met when the fact has this value. True also when the value alone does not decide. */
  mayHold(value: unknown): boolean;
}

/** Makes the literal of a comparison. `negated` when the comparison is inside an odd number of `not`. */
export function readLiteral(comparison: Comparison, negated: boolean): Literal {
  const memo = negated ? memos.negated : memos.plain;
  const known = memo.get(comparison) ?? makeLiteral(comparison, negated);
  memo.set(comparison, known);
  return known;
}

/** Rules are compared pair by pair, so each comparison is needed many times. */
const memos = { plain: new WeakMap<Comparison, Literal>(), negated: new WeakMap<Comparison, Literal>() };

function makeLiteral(comparison: Comparison, negated: boolean): Literal {
  const ref = comparisonRef(comparison);
  const { operator, value, flips } = plainOperator(comparison);
  const isNegated = flips !== negated;
  const compares = compareWith(operator, value);
  return {
    comparison,
    ref,
    key: refKey(ref),
    operator,
    value,
    negated: isNegated,
    text: `${refKey(ref)} ${operator} ${JSON.stringify(orderless(operator, value))}`,
    mayHold: (fact) => {
      const holds = compares?.(fact);
      return holds === undefined || holds !== isNegated;
    },
  };
}

/** The positive operator: without leading `not:`, and `equal` and `in` in place of `notEqual` and `notIn`. */
function plainOperator({ operator, value }: Comparison): { operator: string; value: unknown; flips: boolean } {
  const bare = operator.replace(/^(?:not:)+/, '');
  const isOdd = ((operator.length - bare.length) / 'not:'.length) % 2 === 1;
  if (bare === 'isEmpty' && value === false) return { operator: bare, value: true, flips: !isOdd };
  const positive = opposites[bare];
  return { operator: positive ?? bare, value, flips: (positive !== undefined) !== isOdd };
}

const opposites: Readonly<Record<string, string>> = { notEqual: 'equal', notIn: 'in' };

/** Sorts the values of `in`, since their order has no meaning. */
function orderless(operator: string, value: unknown): unknown {
  if (operator !== 'in' || !Array.isArray(value)) return value;
  return [...value].map((each) => JSON.stringify(each)).sort();
}

/** Operators that need more than their two values. */
const contextual = ['withinDays', 'inNamedList'];
const noContext: OperatorContext = { dateMs: Number.NaN, listed: () => undefined };

/** A function that compares a value of the fact. Undefined, here or as its result, when the comparison is unknown. */
function compareWith(operator: string, value: unknown): ((fact: unknown) => boolean | undefined) | undefined {
  const decorators = operator.split(':');
  const base = decorators.pop() ?? '';
  if (isFactRef(value) || contextual.includes(base)) return undefined;
  const compare = compileComparator(operator, decorators, base, operators);
  return (fact) => {
    try {
      return compare(fact, value, noContext);
    } catch {
      // The operator refuses the value. Then the rule fails with an error, which lint does not predict.
      return undefined;
    }
  };
}
