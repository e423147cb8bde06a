import type { JsonPath } from '../source/ruleSource';
import type { RuleTest } from './rule';

/** What a test expects of an activity, or of all of them together. */
export type Expected = RuleTest['expect'];

/** One activity of a test, as posted. */
export interface TestStep {
  activity: Readonly<Record<string, unknown>>;
  /** Of this activity alone; one of `activities` may have it. */
  expect?: Expected;
  /** Its place in the test. */
  at: JsonPath;
}

/** The activities of a test in their order: the one of `activity`, or those of `activities`. */
export function testSteps({ activity, activities = [] }: Pick<RuleTest, 'activity' | 'activities'>): TestStep[] {
  const several = activities.map(({ expect, ...each }, index) => {
    return { activity: each, at: ['activities', index], ...(expect && { expect }) };
  });
  return activity ? [{ activity, at: ['activity'] }, ...several] : several;
}

/** Everything that a test expects: of all its activities together, and of single ones. */
export function expectationsOf(test: RuleTest): { expect: Expected; at: JsonPath }[] {
  const own = testSteps(test).flatMap(({ expect, at }) => (expect ? [{ expect, at: [...at, 'expect'] }] : []));
  return [{ expect: test.expect, at: ['expect'] }, ...own];
}
