import { compareOf } from '../evaluate/compileComparison';
import { isFactValue, refOf } from '../evaluate/ruleSet';
import type { Comparison } from '../language/condition';
import { type FactRef, refKey } from '../language/factRef';
import { type OperatorContext, operators } from '../language/operators';

/** A comparison that must hold, or, when negated, must not; `not:equal` is `equal` negated. */
export interface Literal {
  readonly comparison: Comparison;
  readonly ref: FactRef;
  /** The same for comparisons of the same value. */
  readonly slot: string;
  /** Without what negates it. */
  readonly operator: string;
  readonly value: unknown;
  readonly negated: boolean;
  /** The same for the same comparison, negated or not. */
  readonly text: string;
  /** Whether it can be met when the fact has this value; true also when that cannot be told from the value. */
  mayHold(value: unknown): boolean;
}

/** Reads a comparison as a literal; `negated` when it stands below an odd number of `not`. */
export function literalOf(comparison: Comparison, negated: boolean): Literal {
  const memo = negated ? memos.negated : memos.plain;
  const known = memo.get(comparison) ?? makeLiteral(comparison, negated);
  memo.set(comparison, known);
  return known;
}

/** Rules are compared with each other, so each comparison is read many times. */
const memos = { plain: new WeakMap<Comparison, Literal>(), negated: new WeakMap<Comparison, Literal>() };

function makeLiteral(comparison: Comparison, negated: boolean): Literal {
  const ref = refOf(comparison);
  const { operator, value, flips } = plainOperator(comparison);
  const isNegated = flips !== negated;
  const compares = compareWith(operator, value);
  return {
    comparison,
    ref,
    slot: refKey(ref),
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

/** The operator without leading `not:`, and without being the opposite of another. */
function plainOperator({ operator, value }: Comparison): { operator: string; value: unknown; flips: boolean } {
  const bare = operator.replace(/^(?:not:)+/, '');
  const isOdd = ((operator.length - bare.length) / 'not:'.length) % 2 === 1;
  if (bare === 'isEmpty' && value === false) return { operator: bare, value: true, flips: !isOdd };
  const positive = opposites[bare];
  return { operator: positive ?? bare, value, flips: (positive !== undefined) !== isOdd };
}

const opposites: Readonly<Record<string, string>> = { notEqual: 'equal', notIn: 'in' };

/** Lists of values in one order: which comes first makes no difference. */
function orderless(operator: string, value: unknown): unknown {
  if (operator !== 'in' || !Array.isArray(value)) return value;
  return [...value].map((each) => JSON.stringify(each)).sort();
}

/** Operators that look at more than their two values. */
const contextual = ['withinDays', 'inNamedList'];
const noContext: OperatorContext = { dateMs: Number.NaN, listed: () => undefined };

/** Compares a value of the fact; undefined when that cannot be told, or fails. */
function compareWith(operator: string, value: unknown): ((fact: unknown) => boolean | undefined) | undefined {
  const decorators = operator.split(':');
  const base = decorators.pop() ?? '';
  if (isFactValue(value) || contextual.includes(base)) return undefined;
  const compare = compareOf(operator, decorators, base, operators);
  return (fact) => {
    try {
      return compare(fact, value, noContext);
    } catch {
      // A value that an operator refuses: the rule fails then, which is not for lint to foresee.
      return undefined;
    }
  };
}
