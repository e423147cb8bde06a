import { Type } from '@sinclair/typebox';
import { cancelBody } from '#records/activities/cancelBody';
import type { RuleTest } from '../format/rule';
import type { StoryStep } from '../format/storyShape';
import { isDateText } from '../language/instantMs';
import { reportFaults } from '../source/checkShape';
import type { JsonPath, RuleSource } from '../source/ruleSource';
import { type ReadStep, readStory } from '../story/storySteps';
import { checkStoryExpect } from './checkStoryExpect';
import { checkStoryMember } from './checkStoryMember';
import { type ProgramScope, testActivityShape } from './programScope';

const kinds = ['activity', 'cancel', 'wait'] as const;

const bodies = { activity: testActivityShape, cancel: cancelBody, wait: Type.Object({}) };

/**
 * Checks a test with steps: what the schema cannot check, names that must exist, and all for which the service would
 * refuse a post or the member.
 * @param from when the rule becomes effective
 */
export function checkStory(
  source: RuleSource,
  at: JsonPath,
  test: RuleTest,
  { scope, from }: { scope: ProgramScope; from: Date | undefined },
): void {
  const { activityTypes, codes, program } = scope;
  const { timezone } = program;
  const { start, steps } = readStory(test, { activityTypes, codes, timezone, from });
  if (steps.length === 0) return;
  for (const [index, read] of steps.entries())
    checkStep(source, [...at, 'steps', index], { read, index, steps, scope });
  checkStoryMember(source, at, test, { start, scope });
}

interface Step {
  read: ReadStep;
  index: number;
  steps: readonly ReadStep[];
  scope: ProgramScope;
}

function checkStep(source: RuleSource, at: JsonPath, { read: { step, faults }, index, steps, scope }: Step): void {
  const given = kinds.filter((kind) => step[kind]);
  const [kind] = given;
  if (given.length !== 1 || !kind) {
    source.error(at, 'a step has one of "activity", "cancel" and "wait"');
    return;
  }
  const place = [...at, kind];
  if (step.wait) checkWait(source, place, step.wait);
  if (step.cancel) checkCancel(source, place, { steps, index, asked: step.cancel.step });
  reportFaults(source, place, faults, { schema: bodies[kind], value: step[kind] });
  if (step.expect) checkStoryExpect(source, [...at, 'expect'], step, scope);
}

function checkCancel(
  source: RuleSource,
  at: JsonPath,
  { steps, index, asked }: { steps: readonly ReadStep[]; index: number; asked: number },
): void {
  const earlier = steps.flatMap(({ step }, place) => (step.activity && place < index ? [place + 1] : []));
  if (earlier.includes(asked)) return;
  const known = earlier.length === 0 ? 'there is none' : `there are: ${earlier.join(', ')}`;
  source.error([...at, 'step'], `"step" is the position, from 1, of an earlier step with an activity; ${known}`);
}

function checkWait(source: RuleSource, at: JsonPath, { value, unit, until }: NonNullable<StoryStep['wait']>): void {
  const isDuration = value !== undefined && unit !== undefined && until === undefined;
  const isUntil = value === undefined && unit === undefined && until !== undefined;
  if (!isDuration && !isUntil) {
    source.error(at, 'a wait has "value" and "unit", such as 14 and "day", or "until", such as "2026-10-01"');
  }
  if (until !== undefined && !isDateText(until)) {
    source.error([...at, 'until'], '"until" is a date, such as "2026-10-01" or "2026-10-01T12:00:00Z"');
  }
}
