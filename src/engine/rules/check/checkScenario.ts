import { Type } from '@sinclair/typebox';
import { message } from '#base/common/messages/message';
import { cancelBody } from '#records/activities/cancelBody';
import type { RuleTest } from '../format/rule';
import type { ScenarioStep } from '../format/scenarioShape';
import { isDateText } from '../language/instantMs';
import { type ReadStep, readScenario } from '../scenario/scenarioSteps';
import { reportFaults } from '../source/checkShape';
import type { JsonPath, RuleSource } from '../source/ruleSource';
import { checkScenarioExpect } from './checkScenarioExpect';
import { checkScenarioMember } from './checkScenarioMember';
import { type ProgramScope, testActivityShape } from './programScope';

const kinds = ['activity', 'cancel', 'wait'] as const;

const bodies = { activity: testActivityShape, cancel: cancelBody, wait: Type.Object({}) };

/**
 * Checks a test with steps: what the schema cannot check, names that must exist, and all for which the service would
 * refuse a post or the member.
 * @param from when the rule becomes effective
 */
export function checkScenario(
  source: RuleSource,
  at: JsonPath,
  test: RuleTest,
  { scope, from }: { scope: ProgramScope; from: Date | undefined },
): void {
  const { activityTypes, codes, program } = scope;
  const { timezone } = program;
  const { start, steps } = readScenario(test, { activityTypes, codes, timezone, from });
  if (steps.length === 0) return;
  for (const [index, read] of steps.entries())
    checkStep(source, [...at, 'steps', index], { read, index, steps, scope });
  checkScenarioMember(source, at, test, { start, scope });
}

interface Step {
  read: ReadStep;
  index: number;
  steps: readonly ReadStep[];
  scope: ProgramScope;
}

function checkStep(source: RuleSource, at: JsonPath, { read: { step, faults }, index, steps, scope }: Step): void {
  const stepKinds = kinds.filter((kind) => step[kind]);
  const [kind] = stepKinds;
  if (stepKinds.length !== 1 || !kind) {
    source.error(at, message('ruleTests.oneOfThree'));
    return;
  }
  const place = [...at, kind];
  if (step.wait) checkWait(source, place, step.wait);
  if (step.cancel) checkCancel(source, place, { steps, index, cancelledStep: step.cancel.step });
  reportFaults(source, place, faults, { schema: bodies[kind], value: step[kind] });
  if (step.expect) checkScenarioExpect(source, [...at, 'expect'], step, scope);
}

function checkCancel(
  source: RuleSource,
  at: JsonPath,
  { steps, index, cancelledStep }: { steps: readonly ReadStep[]; index: number; cancelledStep: number },
): void {
  const earlier = steps.flatMap(({ step }, place) => (step.activity && place < index ? [place + 1] : []));
  if (earlier.includes(cancelledStep)) return;
  const none = earlier.length === 0;
  const fault = none
    ? message('ruleTests.noEarlierStep')
    : message('ruleTests.earlierSteps', { steps: earlier.join(', ') });
  source.error([...at, 'step'], fault);
}

function checkWait(source: RuleSource, at: JsonPath, { value, unit, until }: NonNullable<ScenarioStep['wait']>): void {
  const isDuration = value !== undefined && unit !== undefined && until === undefined;
  const isUntil = value === undefined && unit === undefined && until !== undefined;
  if (!isDuration && !isUntil) {
    source.error(at, message('ruleTests.waitForm'));
  }
  if (until !== undefined && !isDateText(until)) {
    source.error([...at, 'until'], message('ruleTests.untilDate'));
  }
}
