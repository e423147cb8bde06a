import { addTerm } from '#base/calendar/localCalendar';
import { dayMs } from '#base/common/durations';
import type { FieldError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import type { Activity } from '#records/activities/activity';
import type { RuleTest } from '../format/rule';
import type { ScenarioStep } from '../format/scenarioShape';
import { type ScenarioNames, scenarioActivity, scenarioCancel } from './scenarioActivity';
import { testDate } from './testDate';

/** The time of a test without a date whose rule has no `effective.from`. It is fixed, so that results never change. */
export const defaultNow = new Date('2026-01-01T12:00:00.000Z');

/** A step as the service would read it. */
export interface ReadStep {
  step: ScenarioStep;
  /** What it posts: the activity, or the cancellation. */
  posted?: Activity;
  /** The time of the scenario after it. */
  now: Date;
  /** Why it cannot be run. Paths are below `activity`, `cancel` or `wait`, whichever the step has. */
  faults: readonly FieldError[];
}

/** A scenario as it is read before its first step. */
export interface ReadScenario {
  /** The time at which it begins. */
  start: Date;
  steps: readonly ReadStep[];
}

/** What reading a scenario needs to know of its rule, program and org. */
export interface ScenarioContext extends Pick<ScenarioNames, 'activityTypes' | 'codes'> {
  /** IANA time zone. */
  timezone: string;
  /** `effective.from` of the rule. */
  from: Date | undefined;
}

/** Longer scenarios would keep the process busy: levels and expiries are settled one after the other. */
const lastsMaxMs = 100 * 366 * dayMs;

/**
 * Reads the steps of a test one after the other, with the checks of the corresponding posts. The scenario begins at
 * `asOf`, else at the date of the first activity that has one, else when the rule becomes effective.
 */
export function readScenario(test: RuleTest, context: ScenarioContext): ReadScenario {
  const { steps = [], asOf } = test;
  const names = scenarioNames(test, context);
  const start = asOf ?? firstDate(steps, names) ?? context.from ?? defaultNow;
  const read: ReadStep[] = [];
  let now = start;
  for (const step of steps) {
    const { at = now, ...done } = readStep(step, { now, names, timezone: context.timezone });
    const isTooLong = !(at.getTime() - start.getTime() <= lastsMaxMs);
    const faults = isTooLong ? [...done.faults, tooLong] : done.faults;
    if (!isTooLong && at > now) now = at;
    read.push({ ...done, step, now, faults });
  }
  return { start, steps: read };
}

const tooLong = { path: '', kind: 'maximum', ...message('ruleTests.tooLong') };

function firstDate(steps: readonly ScenarioStep[], names: ScenarioNames): Date | undefined {
  const dated = steps.find(({ activity }) => typeof activity?.date === 'string')?.activity;
  return dated && scenarioActivity(dated, names, defaultNow).activity.date;
}

function scenarioNames({ member = {} }: RuleTest, { activityTypes, codes }: ScenarioContext): ScenarioNames {
  const { _id, loyaltyID = 'test', loyaltyIDs = [] } = member;
  const others = Array.isArray(loyaltyIDs) ? loyaltyIDs.map(String) : [];
  return {
    activityTypes,
    codes,
    memberId: typeof _id === 'string' ? _id.toLowerCase() : undefined,
    loyaltyIds: [String(loyaltyID), ...others],
  };
}

/** A step with the time to which it passes; without one, no time passes. */
type StepRead = Pick<ReadStep, 'posted' | 'faults'> & { at?: Date | undefined };

function readStep(
  { activity, cancel, wait }: ScenarioStep,
  { now, names, timezone }: { now: Date; names: ScenarioNames; timezone: string },
): StepRead {
  if (wait) return readWait(wait, now, timezone);
  if (cancel) {
    const { activity: posted, faults } = scenarioCancel(cancel, now);
    return { posted, faults };
  }
  if (!activity) return { faults: [] };
  const { activity: posted, faults } = scenarioActivity(activity, names, now);
  return { posted, faults, at: posted.date };
}

function readWait({ value, unit, until }: NonNullable<ScenarioStep['wait']>, now: Date, timezone: string): StepRead {
  if (until === undefined) {
    return { faults: [], ...(value && unit && { at: addTerm(now, value, unit, timezone) }) };
  }
  const at = testDate(until, timezone);
  if (!at || at >= now) return { faults: [], at };
  const fault = message('ruleTests.inPast', { now: now.toISOString() });
  return { faults: [{ path: 'until', kind: 'date', ...fault }] };
}
