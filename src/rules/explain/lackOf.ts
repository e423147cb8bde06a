import type { Comparison, Condition } from '../language/condition';

/** A comparison that stands in the way of a condition: whether it held, undefined when that is not known. */
export interface Lack {
  comparison: Comparison;
  held: boolean | undefined;
}

/** Tells whether a comparison holds; undefined when that is not known. */
export type Judge = (comparison: Comparison) => boolean | undefined;

/**
 * The fewest comparisons that would have to turn out otherwise for a condition to be `wanted`, in the order of the
 * file; what is not known counts as one of them. None when it is so already; undefined when it never can be.
 */
export function lackOf(condition: Condition, judge: Judge, wanted = true): Lack[] | undefined {
  if ('not' in condition) return lackOf(condition.not, judge, !wanted);
  if ('all' in condition) return lackOfList(condition.all, judge, wanted, wanted);
  if ('any' in condition) return lackOfList(condition.any, judge, wanted, !wanted);
  const held = judge(condition);
  return held === wanted ? [] : [{ comparison: condition, held }];
}

function lackOfList(conditions: readonly Condition[], judge: Judge, wanted: boolean, needsEach: boolean) {
  // A list of none holds, of either kind.
  if (conditions.length === 0) return wanted ? [] : undefined;
  const lacks = conditions.map((each) => lackOf(each, judge, wanted));
  const possible = lacks.filter((lack) => lack !== undefined);
  if (needsEach) return possible.length === lacks.length ? possible.flat() : undefined;
  return possible.reduce<Lack[] | undefined>(
    (best, lack) => (best && best.length <= lack.length ? best : lack),
    undefined,
  );
}
