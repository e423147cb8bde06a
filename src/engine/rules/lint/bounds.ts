import type { FactRef } from '../language/factRef';
import { instantMs } from '../language/instantMs';
import type { Literal } from './literal';

/** The lower or upper end of the values that a literal allows. */
interface Bound {
  value: number | string;
  isStrict: boolean;
  /**
   * For dates in strings. True: they compare as string and as instant (`greaterThan` and similar). False: as instant.
   */
  byLetters: boolean;
}

interface Range {
  lower?: Bound;
  upper?: Bound;
}

/**
 * Whether no value lies in both ranges. The type of the fact is unknown. Numbers, numeric strings and dates compare
 * with numbers in the same way. Strings compare with dates in two ways; this check never mixes the two.
 */
export function areApart(a: Literal, b: Literal): boolean {
  const first = literalRange(a);
  const second = literalRange(b);
  return isAbove(first.lower, second.upper) || isAbove(second.lower, first.upper);
}

/** Whether every value in the range of `a` also lies in the range of `b`. */
export function isWithin(a: Literal, b: Literal): boolean {
  const inner = literalRange(a);
  const outer = literalRange(b);
  if (!outer.lower && !outer.upper) return false;
  // A numeric string can be above 5, but it is never `between` two numbers.
  if (b.operator === 'between' && a.operator !== 'between') return false;
  return (
    (!outer.lower || isTighter(inner.lower, outer.lower, 1)) &&
    (!outer.upper || isTighter(inner.upper, outer.upper, -1))
  );
}

/** Whether the lower end of a `between` is above its upper end. */
export function isEmptyRange(literal: Literal): boolean {
  const { lower, upper } = literalRange(literal);
  return isAbove(lower, upper);
}

function literalRange({ operator, value, ref }: Literal): Range {
  if (operator === 'between') {
    const [from, to] = Array.isArray(value) ? value : [];
    return { ...bound('lower', from, false, false), ...bound('upper', to, false, false) };
  }
  const kind = Object.hasOwn(kinds, operator) ? kinds[operator] : undefined;
  if (!kind || (kind.isDate && typeof value === 'number')) return {};
  return bound(kind.side, value, kind.isStrict, !kind.isDate && !isAlwaysDate(ref));
}

/** Whether a fact is a date and never a string. */
function isAlwaysDate({ fact, path }: FactRef): boolean {
  return fact === 'activity' ? path === '$.date' : fact === 'now' && path === undefined;
}

const kinds: Readonly<Record<string, { side: 'lower' | 'upper'; isStrict: boolean; isDate: boolean }>> = {
  greaterThan: { side: 'lower', isStrict: true, isDate: false },
  greaterThanInclusive: { side: 'lower', isStrict: false, isDate: false },
  lessThan: { side: 'upper', isStrict: true, isDate: false },
  lessThanInclusive: { side: 'upper', isStrict: false, isDate: false },
  after: { side: 'lower', isStrict: true, isDate: true },
  before: { side: 'upper', isStrict: true, isDate: true },
};

function bound(side: 'lower' | 'upper', value: unknown, isStrict: boolean, byLetters: boolean): Range {
  const isDate = typeof value === 'string' && !Number.isNaN(instantMs(value));
  if (typeof value !== 'number' && !isDate) return {};
  return { [side]: { value, isStrict, byLetters } };
}

function isAbove(lower: Bound | undefined, upper: Bound | undefined): boolean {
  if (!lower || !upper) return false;
  const isStrict = lower.isStrict || upper.isStrict;
  return measures(lower, upper).every((order) => order > 0 || (order === 0 && isStrict));
}

/** `side` is 1 for lower bounds, where the higher bound is tighter, and -1 for upper bounds. */
function isTighter(inner: Bound | undefined, outer: Bound, side: 1 | -1): boolean {
  if (!inner) return false;
  const hasSameEnd = inner.isStrict || !outer.isStrict;
  return measures(inner, outer).every((order) => order * side > 0 || (order === 0 && hasSameEnd));
}

/** The order of two bounds, for each way to compare a value with them. NaN when the order is unknown. */
function measures(a: Bound, b: Bound): number[] {
  if (typeof a.value === 'number' && typeof b.value === 'number') return [a.value - b.value];
  if (typeof a.value === 'number' || typeof b.value === 'number' || a.byLetters !== b.byLetters) return [Number.NaN];
  const byInstant = instantMs(a.value) - instantMs(b.value);
  if (!a.byLetters) return [byInstant];
  const byLetters = Number(a.value > b.value) - Number(a.value < b.value);
  return [byInstant, byLetters];
}
