import type { Comparison, Condition } from '../language/condition';

/** A comparison that prevents a condition. `held` is undefined when the value is unknown. */
export interface Lack {
  comparison: Comparison;
  held: boolean | undefined;
}

/** Evaluates a comparison; undefined when the value is unknown. */
export type Judge = (comparison: Comparison) => boolean | undefined;

/**
 * The smallest set of comparisons whose results would have to change so that the condition evaluates to `wanted`, in
 * the order of the file. A comparison with an unknown value counts as one of them. Empty when the condition already
 * evaluates to `wanted`; undefined when it never can.
 */
export function lackOf(condition: Condition, judge: Judge, wanted = true): Lack[] | undefined {
  if ('not' in condition) return lackOf(condition.not, judge, !wanted);
  if ('all' in condition) return lackOfList(condition.all, judge, wanted, wanted);
  if ('any' in condition) return lackOfList(condition.any, judge, wanted, !wanted);
  const held = judge(condition);
  return held === wanted ? [] : [{ comparison: condition, held }];
}

function lackOfList(conditions: readonly Condition[], judge: Judge, wanted: boolean, needsEach: boolean) {
  // An empty `all` and an empty `any` both hold.
  if (conditions.length === 0) return wanted ? [] : undefined;
  const lacks = conditions.map((each) => lackOf(each, judge, wanted));
  const possible = lacks.filter((lack) => lack !== undefined);
  if (needsEach) return possible.length === lacks.length ? possible.flat() : undefined;
  return possible.reduce<Lack[] | undefined>(
    (best, lack) => (best && best.length <= lack.length ? best : lack),
    undefined,
  );
}
