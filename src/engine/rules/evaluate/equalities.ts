import type { Comparison, Condition } from '../language/condition';
import { isFactRef } from '../language/factRef';
import { isPlain } from './compileComparison';
import type { FactSlots } from './factFrame';
import { comparisonRef } from './ruleSet';

/** A necessary condition on one slot: its value, or an element of its list, must be one of `values`. */
export interface Equality {
  slot: number;
  /** The value must be a list, and one of its elements must be in `values`. */
  ofElement: boolean;
  values: ReadonlySet<unknown>;
}

/** Equalities by a number for each slot and kind: `slot * 2 + Number(ofElement)`. */
export type Equalities = ReadonlyMap<number, Equality>;

/**
 * The equalities that must be true for the conditions to be true: those inside `all`, and those inside `any` if every
 * branch has one on the same slot.
 */
export function findEqualities(condition: Condition, facts: FactSlots): Equalities {
  const found = new Map<number, Equality>();
  gather(condition, facts, found);
  return found;
}

function gather(condition: Condition, facts: FactSlots, found: Map<number, Equality>): void {
  if ('all' in condition) {
    for (const each of condition.all) gather(each, facts, found);
  } else if ('any' in condition) {
    const [first, ...rest] = condition.any.map((each) => findEqualities(each, facts));
    if (first) for (const equality of rest.reduce(either, first).values()) add(equality, found);
  } else if ('fact' in condition) {
    const equality = readEquality(condition, facts);
    if (equality) add(equality, found);
  }
}

/**
 * Adds an equality that must be true as well. For a single value, the accepted values are intersected. A list can
 * satisfy both equalities with different elements, so only the last one is stored.
 */
function add(equality: Equality, found: Map<number, Equality>): void {
  const key = equality.slot * 2 + Number(equality.ofElement);
  const known = equality.ofElement ? undefined : found.get(key);
  if (!known) found.set(key, equality);
  else found.set(key, { ...known, values: new Set([...known.values].filter((each) => equality.values.has(each))) });
}

function either(a: Equalities, b: Equalities): Equalities {
  const result = new Map<number, Equality>();
  for (const [key, equality] of a) {
    const other = b.get(key);
    if (other) result.set(key, { ...equality, values: new Set([...equality.values, ...other.values]) });
  }
  return result;
}

/** The operators that are equalities. `isList`: their value is a list of literals. */
const kinds: Readonly<Record<string, { ofElement: boolean; isList: boolean }>> = {
  equal: { ofElement: false, isList: false },
  in: { ofElement: false, isList: true },
  contains: { ofElement: true, isList: false },
  'someFact:equal': { ofElement: true, isList: false },
  'someFact:in': { ofElement: true, isList: true },
};

function readEquality(comparison: Comparison, facts: FactSlots): Equality | undefined {
  const { operator, value } = comparison;
  const kind = Object.hasOwn(kinds, operator) ? kinds[operator] : undefined;
  if (!kind || isFactRef(value)) return undefined;
  const literals = kind.isList ? value : [value];
  if (!Array.isArray(literals) || !literals.every(isPlain)) return undefined;
  return { slot: facts.slotOf(comparisonRef(comparison)), ofElement: kind.ofElement, values: new Set(literals) };
}
