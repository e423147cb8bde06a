import type { ObjectId } from 'bson';
import type { DayPattern } from '#base/calendar/dueTimes';
import { derivedId } from '#base/db/records';
import { effectiveFault } from '#base/schema/atoms';
import type { RuleSet } from '#engine/rules/evaluate/ruleSet';
import type { Rule } from '#engine/rules/format/rule';
import {
  scheduledDayPattern,
  scheduledDaysBefore,
  scheduleText,
  timedOccasionTypes,
} from '#engine/rules/format/schedule';
import type { TimedOccasionType } from '#records/activities/occasion';

/** One schedule of a program. Active rules whose schedules read the same share it and its occasions. */
export interface ProgramSchedule {
  _id: ObjectId;
  program: ObjectId;
  type: TimedOccasionType;
  /** The schedule in words. */
  schedule: string;
  pattern: DayPattern;
  daysBefore: number;
  /** Name of the segment whose members it is for; undefined: all members. */
  segment: string | undefined;
  rules: readonly Rule[];
}

/** The schedules of the active rules of a rule set. */
export function programSchedules(org: ObjectId, { rules }: RuleSet): ProgramSchedule[] {
  const schedules = new Map<string, ProgramSchedule & { rules: Rule[] }>();
  for (const rule of rules) {
    if (rule.status !== 'active') continue;
    for (const type of timedOccasionTypes(rule)) {
      const { programId: program } = rule;
      const schedule = scheduleText(rule);
      const _id = derivedId('occasionSlot', org, program, type, schedule);
      const known = schedules.get(_id.toHexString());
      if (known) known.rules.push(rule);
      else schedules.set(_id.toHexString(), { _id, program, type, schedule, rules: [rule], ...scheduledDays(rule) });
    }
  }
  return [...schedules.values()];
}

function scheduledDays(rule: Rule): Pick<ProgramSchedule, 'pattern' | 'daysBefore' | 'segment'> {
  return { pattern: scheduledDayPattern(rule), daysBefore: scheduledDaysBefore(rule), segment: rule.schedule?.segment };
}

/** Tells whether a rule of the schedule is effective at an instant. */
export function isEffective({ rules }: ProgramSchedule, at: Date): boolean {
  return rules.some(({ effective }) => effectiveFault(effective, at) === undefined);
}
