import { message } from '#base/common/messages/message';
import { otherCurrency, programCurrency } from '#records/programs/program';
import type { RuleTest } from '../format/rule';
import { listExpectations, testSteps } from '../format/testSteps';
import type { JsonPath, RuleSource } from '../source/ruleSource';
import { checkNames } from './checkNames';
import { checkScenario } from './checkScenario';
import { checkTestMember } from './checkTestMember';
import type { ProgramScope } from './programScope';

/**
 * Checks what the schema of a test cannot check: its activities, member and records, and names that must exist.
 * @param from when the rule becomes effective
 */
export function checkTest(
  source: RuleSource,
  at: JsonPath,
  test: RuleTest,
  { scope, from }: { scope: ProgramScope; from: Date | undefined },
): void {
  if (test.steps && (test.activity || test.activities)) {
    source.keyError([...at, 'steps'], message('ruleTests.stepsOrActivities'));
  } else if (test.activity && test.activities) {
    source.keyError([...at, 'activities'], message('ruleTests.activityOrActivities'));
  } else if (!test.activity && !test.activities && !test.steps) {
    source.error(at, message('ruleTests.nothingToDo'));
  }
  checkScenario(source, at, test, { scope, from });
  for (const step of testSteps(test)) {
    const place = [...at, ...step.at];
    scope.checkActivity(source, place, step.activity);
    const { currencyCode } = step.activity;
    const { program } = scope.program.records ?? {};
    if (program && typeof currencyCode === 'string' && otherCurrency(program, currencyCode) !== undefined) {
      const other = { program: program.code, currency: programCurrency(program) ?? '' };
      source.warning([...place, 'currencyCode'], message('ruleTests.otherCurrency', other));
    }
  }
  for (const name of ['location', 'partner', 'products'] as const) {
    if (test[name] !== undefined) scope.checkRecords[name](source, [...at, name], test[name]);
  }
  const lists = scope.namedLists.map(({ name }) => name);
  checkNames(source, [...at, 'namedLists'], 'named list', Object.keys(test.namedLists ?? {}), lists, true);
  if (test.member && !test.steps) checkTestMember(source, [...at, 'member'], test.member, scope);
  for (const { expect, at: place } of listExpectations(test)) {
    const purses = Object.keys(expect.points ?? {});
    checkNames(source, [...at, ...place, 'points'], 'purse', purses, scope.purses, true);
  }
}
