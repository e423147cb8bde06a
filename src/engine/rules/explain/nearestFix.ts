import type { Comparison, Condition } from '../language/condition';

/** A comparison that prevents a condition. `held` is undefined when the value is unknown. */
export interface Fix {
  comparison: Comparison;
  isTrue: boolean | undefined;
  /** How far it is from changing, 0 to 1. */
  gap: number;
}

/** Says whether a comparison holds, undefined when its value is unknown, and how far it is from changing, 0 to 1. */
export interface Judge {
  holds(comparison: Comparison): boolean | undefined;
  gap(comparison: Comparison, isTrue: boolean | undefined): number;
}

/**
 * The nearest set of comparisons, by the sum of their gaps, whose results would have to change so that the condition
 * evaluates to `wanted`, in the order of the file. A comparison with an unknown value counts as one of them. Empty when
 * the condition already evaluates to `wanted`; undefined when it never can.
 */
export function nearestFix(condition: Condition, judge: Judge, wanted = true): Fix[] | undefined {
  if ('not' in condition) return nearestFix(condition.not, judge, !wanted);
  if ('all' in condition) return lackOfList(condition.all, judge, wanted, wanted);
  if ('any' in condition) return lackOfList(condition.any, judge, wanted, !wanted);
  const isTrue = judge.holds(condition);
  return isTrue === wanted ? [] : [{ comparison: condition, isTrue, gap: judge.gap(condition, isTrue) }];
}

function lackOfList(conditions: readonly Condition[], judge: Judge, wanted: boolean, needsEach: boolean) {
  // An empty `all` and an empty `any` both hold.
  if (conditions.length === 0) return wanted ? [] : undefined;
  const lacks = conditions.map((each) => nearestFix(each, judge, wanted));
  const possible = lacks.filter((lack) => lack !== undefined);
  if (needsEach) return possible.length === lacks.length ? possible.flat() : undefined;
  return possible.reduce<Fix[] | undefined>(
    (best, lack) => (best && totalGap(best) <= totalGap(lack) ? best : lack),
    undefined,
  );
}

function totalGap(lacks: readonly Fix[]): number {
  return lacks.reduce((sum, { gap }) => sum + gap, 0);
}
