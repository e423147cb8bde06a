import type { FactRef } from '../language/factRef';
import { instantMs } from '../language/instantMs';
import type { Literal } from './literal';

/** Where the values that a literal allows begin or end. */
interface Bound {
  value: number | string;
  isStrict: boolean;
  /** Texts of dates: by their letters and by their instants (`greaterThan` and its kin), or by instants only. */
  byLetters: boolean;
}

interface Range {
  lower?: Bound;
  upper?: Bound;
}

/**
 * Tells whether no value lies in the ranges of both. What a fact is is not known: numbers, texts of numbers and dates all
 * compare with numbers the same way; texts compare with dates in two ways, which are never mixed.
 */
export function areApart(a: Literal, b: Literal): boolean {
  const first = rangeOf(a);
  const second = rangeOf(b);
  return isAbove(first.lower, second.upper) || isAbove(second.lower, first.upper);
}

/** Tells whether every value in the range of `a` lies in that of `b`. */
export function isWithin(a: Literal, b: Literal): boolean {
  const inner = rangeOf(a);
  const outer = rangeOf(b);
  if (!outer.lower && !outer.upper) return false;
  // A text of a number is above 5 but between no two numbers.
  if (b.operator === 'between' && a.operator !== 'between') return false;
  return (
    (!outer.lower || isTighter(inner.lower, outer.lower, 1)) &&
    (!outer.upper || isTighter(inner.upper, outer.upper, -1))
  );
}

/** Tells whether a `between` names its ends the wrong way round. */
export function isEmptyRange(literal: Literal): boolean {
  const { lower, upper } = rangeOf(literal);
  return isAbove(lower, upper);
}

function rangeOf({ operator, value, ref }: Literal): Range {
  if (operator === 'between') {
    const [from, to] = Array.isArray(value) ? value : [];
    return { ...bound('lower', from, false, false), ...bound('upper', to, false, false) };
  }
  const kind = Object.hasOwn(kinds, operator) ? kinds[operator] : undefined;
  if (!kind || (kind.isDate && typeof value === 'number')) return {};
  return bound(kind.side, value, kind.isStrict, !kind.isDate && !isAlwaysDate(ref));
}

/** Facts that are never texts. */
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

/** `side` is 1 for lower bounds, of which the higher is tighter, and -1 for upper ones. */
function isTighter(inner: Bound | undefined, outer: Bound, side: 1 | -1): boolean {
  if (!inner) return false;
  const hasSameEnd = inner.isStrict || !outer.isStrict;
  return measures(inner, outer).every((order) => order * side > 0 || (order === 0 && hasSameEnd));
}

/** How two bounds compare, in each way in which a value is compared with them; one that is not known never holds. */
function measures(a: Bound, b: Bound): number[] {
  if (typeof a.value === 'number' && typeof b.value === 'number') return [a.value - b.value];
  if (typeof a.value === 'number' || typeof b.value === 'number' || a.byLetters !== b.byLetters) return [Number.NaN];
  const byInstant = instantMs(a.value) - instantMs(b.value);
  if (!a.byLetters) return [byInstant];
  const byLetters = Number(a.value > b.value) - Number(a.value < b.value);
  return [byInstant, byLetters];
}
