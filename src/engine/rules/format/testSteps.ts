import type { JsonPath } from '../source/ruleSource';
import type { RuleTest } from './rule';
import type { StepExpected } from './scenarioShape';

/** What a test expects of one activity, or of all its activities together. */
export type Expected = RuleTest['expect'];

/** One activity of a test, as posted. */
export interface TestStep {
  activity: Readonly<Record<string, unknown>>;
  /** What is expected of this activity alone. Only an element of `activities` can have it. */
  expect?: Expected;
  /** Path of the activity in the test. */
  at: JsonPath;
}

/** The activities of a test, in order: the single `activity`, or the list `activities`. */
export function testSteps({ activity, activities = [] }: Pick<RuleTest, 'activity' | 'activities'>): TestStep[] {
  const several = activities.map(({ expect, ...each }, index) => {
    return { activity: each, at: ['activities', index], ...(expect && { expect }) };
  });
  return activity ? [{ activity, at: ['activity'] }, ...several] : several;
}

/** The types of the activities that a test posts, in order. */
export function typesOfTest(test: RuleTest): string[] {
  const posted = [...testSteps(test), ...(test.steps ?? [])];
  return posted.flatMap(({ activity }) => (activity ? [String(activity.type)] : []));
}

/** Every expectation of a test: first the one for all of it together, then those for single activities and steps. */
export function listExpectations(test: RuleTest): { expect: StepExpected; at: JsonPath }[] {
  const steps = (test.steps ?? []).map(({ expect }, index) => ({ expect, at: ['steps', index] }));
  const own = [...testSteps(test), ...steps].flatMap(({ expect, at }) =>
    expect ? [{ expect, at: [...at, 'expect'] }] : [],
  );
  return [{ expect: test.expect, at: ['expect'] }, ...own];
}
