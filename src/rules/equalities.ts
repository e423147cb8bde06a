import { isPlain } from './compileComparison';
import type { Comparison, Condition } from './condition';
import type { FactSlots } from './factFrame';
import { isFactValue, refOf } from './ruleSet';

/** What a slot must be, or its list must have, for conditions to hold. */
export interface Equality {
  slot: number;
  /** The value is a list and must have one of `values` as an element. */
  ofElement: boolean;
  values: ReadonlySet<unknown>;
}

/** By slot and kind. */
export type Equalities = ReadonlyMap<string, Equality>;

/**
 * The equalities without which conditions never hold: those reached through `all`, and through `any` when every branch
 * has one of the same slot.
 */
export function equalitiesOf(condition: Condition, facts: FactSlots): Equalities {
  if ('all' in condition) return condition.all.map((each) => equalitiesOf(each, facts)).reduce(both, new Map());
  if ('any' in condition) {
    const [first, ...rest] = condition.any.map((each) => equalitiesOf(each, facts));
    return first ? rest.reduce(either, first) : new Map();
  }
  if ('not' in condition) return new Map();
  const equality = equalityOf(condition, facts);
  return new Map(equality ? [[`${equality.slot} ${equality.ofElement}`, equality]] : []);
}

function both(a: Equalities, b: Equalities): Equalities {
  const result = new Map(a);
  for (const [key, equality] of b) {
    const known = result.get(key);
    // A list may have several elements, so one of either set is as much as can be said.
    if (!known || equality.ofElement) result.set(key, equality);
    else result.set(key, { ...known, values: new Set([...known.values].filter((each) => equality.values.has(each))) });
  }
  return result;
}

function either(a: Equalities, b: Equalities): Equalities {
  const result = new Map<string, Equality>();
  for (const [key, equality] of a) {
    const other = b.get(key);
    if (other) result.set(key, { ...equality, values: new Set([...equality.values, ...other.values]) });
  }
  return result;
}

/** Operators that are an equality, with the list of literals that they take. */
const kinds: Readonly<Record<string, { ofElement: boolean; isList: boolean }>> = {
  equal: { ofElement: false, isList: false },
  in: { ofElement: false, isList: true },
  contains: { ofElement: true, isList: false },
  'someFact:equal': { ofElement: true, isList: false },
  'someFact:in': { ofElement: true, isList: true },
};

function equalityOf(comparison: Comparison, facts: FactSlots): Equality | undefined {
  const { operator, value } = comparison;
  const kind = Object.hasOwn(kinds, operator) ? kinds[operator] : undefined;
  if (!kind || isFactValue(value)) return undefined;
  const literals = kind.isList ? value : [value];
  if (!Array.isArray(literals) || !literals.every(isPlain)) return undefined;
  return { slot: facts.slotOf(refOf(comparison)), ofElement: kind.ofElement, values: new Set(literals) };
}
