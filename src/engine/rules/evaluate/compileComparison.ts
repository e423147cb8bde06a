import type { Comparison } from '../language/condition';
import { EvaluationError } from '../language/evaluationError';
import { isFactRef } from '../language/factRef';
import { type Compare, compiled, holdsForEvery, type OperatorDefinition } from '../language/operators';
import type { CompiledCondition } from './compiledCondition';
import type { FactFrame, FactSlots } from './factFrame';
import { comparisonRef } from './ruleSet';

/** Operators by name. */
export type Operators = Readonly<Record<string, OperatorDefinition>>;

/** Compiles a comparison to closures over the slots of its facts. */
export function compileComparison(comparison: Comparison, facts: FactSlots, operators: Operators): CompiledCondition {
  const { path, operator, value } = comparison;
  const decorators = operator.split(':');
  const base = decorators.pop() ?? '';
  const right = isFactRef(value) ? facts.slotOf(comparisonRef(value)) : undefined;
  const left = facts.slotOf(comparisonRef(comparison));
  const test = compileTest({
    compare: compileComparator(operator, decorators, base, operators),
    operator,
    left,
    right,
    value,
  });
  return {
    test,
    strict: test,
    mayThrow:
      !Object.hasOwn(operators, base) || mayThrow(decorators, base, right === undefined ? { value } : undefined),
    explain: (frame, isTrue) => ({
      fact: comparison.fact,
      ...(path === undefined ? {} : { path }),
      operator: isTrue ? `not:${operator}` : operator,
      expected: right === undefined ? value : frame.value(right),
      actual: frame.value(left),
    }),
  };
}

/** The comparison of an operator with its decorators; the first decorator is the outermost. */
export function compileComparator(
  operator: string,
  decorators: readonly string[],
  base: string,
  operators: Operators,
): Compare {
  const definition = Object.hasOwn(operators, base) ? operators[base] : undefined;
  if (!definition || decorators.some((name) => !Object.hasOwn(decorations, name))) {
    return () => {
      throw new EvaluationError(`Unknown operator: ${operator}`);
    };
  }
  return decorators.reduceRight<Compare>((next, name) => decorations[name]?.(next) ?? next, definition.compare);
}

/** json-rules-engine's decorators. A fact that is not a list gives false; a value that is not a list is an error. */
const decorations: Readonly<Record<string, (next: Compare) => Compare>> = {
  someFact: (next) => (a, b, context) => Array.isArray(a) && a.some((each) => next(each, b, context)),
  everyFact: (next) => (a, b, context) => holdsForEvery(a, (each) => next(each, b, context)),
  someValue: (next) => (a, b, context) => requireListValue(b, 'someValue').some((each) => next(a, each, context)),
  everyValue: (next) => (a, b, context) => requireListValue(b, 'everyValue').every((each) => next(a, each, context)),
  swap: (next) => (a, b, context) => next(b, a, context),
  not: (next) => (a, b, context) => !next(a, b, context),
};

function requireListValue(value: unknown, decorator: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new EvaluationError(`${decorator} needs a list`);
  return value;
}

interface Sides {
  compare: Compare;
  operator: string;
  /** Slot of the fact. */
  left: number;
  /** Slot of the other fact; undefined when the fact is compared with `value`. */
  right: number | undefined;
  value: unknown;
}

function compileTest({ compare, operator, left, right, value }: Sides): (frame: FactFrame) => boolean {
  if (right === left) return (frame) => compare(frame.value(left), frame.readAnew(left), frame);
  if (right !== undefined) return (frame) => compare(frame.value(left), frame.value(right), frame);
  if (operator === 'in' && Array.isArray(value) && value.every(isPlain)) return anyLiteral(value, compare, left);
  return (frame) => compare(frame.value(left), value, frame);
}

/** Up to this length, searching a list is as fast as a Set. */
const shortList = 8;

/** The operator `in` for literals of which none is a Date. */
function anyLiteral(literals: readonly unknown[], compare: Compare, left: number): (frame: FactFrame) => boolean {
  const values = literals.length > shortList ? new Set(literals) : undefined;
  return (frame) => {
    const value = frame.value(left);
    if (value instanceof Date) return compare(value, literals, frame);
    return values ? values.has(value) : literals.includes(value);
  };
}

/** Tells whether a literal can be compared by identity, like a key of a Map. */
export function isPlain(value: unknown): boolean {
  return value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** Tells whether a comparison may throw even if its facts can be read. `right` is absent when it is a fact. */
function mayThrow(decorators: readonly string[], base: string, right: { value: unknown } | undefined): boolean {
  const [decorator, ...rest] = decorators;
  if (decorator === undefined) return baseMayThrow(base, right);
  if (!Object.hasOwn(decorations, decorator)) return true;
  if (decorator === 'swap') return mayThrow(rest, base, undefined);
  if (decorator !== 'someValue' && decorator !== 'everyValue') return mayThrow(rest, base, right);
  return !Array.isArray(right?.value) || right.value.some((value) => mayThrow(rest, base, { value }));
}

/** Operators that never throw. An operator in neither this list nor the next may throw. */
const total: ReadonlySet<string> = new Set([
  'inNamedList',
  'equal',
  'notEqual',
  'contains',
  'doesNotContain',
  'before',
  'after',
  'withinDays',
  'startsWith',
  'isEmpty',
  'lessThan',
  'lessThanInclusive',
  'greaterThan',
  'greaterThanInclusive',
]);

/** Operators that never throw with a literal that passes this check. */
const totalWith: Readonly<Record<string, (value: unknown) => boolean>> = {
  in: Array.isArray,
  notIn: Array.isArray,
  between: (value) => Array.isArray(value) && value.every(isPlain),
  matches: isRegex,
};

function baseMayThrow(base: string, right: { value: unknown } | undefined): boolean {
  if (total.has(base)) return false;
  const isFit = Object.hasOwn(totalWith, base) ? totalWith[base] : undefined;
  return !(isFit && right && isFit(right.value));
}

function isRegex(value: unknown): boolean {
  if (typeof value !== 'string') return true;
  try {
    compiled(value);
    return true;
  } catch {
    return false;
  }
}
