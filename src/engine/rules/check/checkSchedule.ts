import { weekdays } from '#base/calendar/dueTimes';
import { message } from '#base/common/messages/message';
import { isYearDayText, type Schedule, timedOccasionTypes } from '../format/schedule';
import type { JsonPath, RuleSource } from '../source/ruleSource';
import { unknownName } from '../source/unknownName';
import type { ProgramScope } from './programScope';
import type { RuleFields } from './sourcedRule';

/** Checks the schedule of a rule against its activity types, and its fields against each other. */
export function checkSchedule(source: RuleSource, at: JsonPath, rule: RuleFields, scope: ProgramScope): void {
  const types = timedOccasionTypes(rule);
  const isScheduled = types.includes('Scheduled');
  const { schedule } = rule;
  if (isScheduled && types.length > 1) {
    source.error([...at, 'activityTypes'], message('rules.scheduledTypes'));
  } else if (isScheduled && schedule?.every === undefined) {
    const example = '{"every": "month", "on": 1, "at": "09:00"}';
    source.error(schedule ? [...at, 'schedule'] : at, message('rules.scheduledNeedsSchedule', { example }));
  } else if (types.includes('PointsExpiring') && schedule?.daysBefore === undefined) {
    const example = '{"daysBefore": 14}';
    source.error(schedule ? [...at, 'schedule'] : at, message('rules.expiringNeedsSchedule', { example }));
  }
  if (!schedule) return;
  if (types.length === 0) {
    source.keyError([...at, 'schedule'], message('rules.scheduleTypes'));
    return;
  }
  checkFields(source, [...at, 'schedule'], schedule, isScheduled);
  const { segment } = schedule;
  if (segment === undefined || scope.segments.includes(segment)) return;
  source.error([...at, 'schedule', 'segment'], unknownName('segment', segment, scope.segments));
}

/** The fields of Scheduled, and those of the other types. */
const fieldsOf = { true: ['every', 'on', 'segment'], false: ['daysBefore'] } as const;

function checkFields(source: RuleSource, at: JsonPath, schedule: Schedule, isScheduled: boolean): void {
  for (const name of fieldsOf[isScheduled ? 'false' : 'true']) {
    if (schedule[name] === undefined) continue;
    source.keyError([...at, name], message(isScheduled ? 'rules.notForScheduled' : 'rules.forScheduled', { name }));
  }
  if (isScheduled && schedule.every !== undefined) checkDay(source, at, schedule, schedule.every);
}

/** What `on` may be, by how often. */
const days = {
  day: { isDay: (on: unknown) => on === undefined, needs: message('rules.dayHasNoOn') },
  week: {
    isDay: (on: unknown) => typeof on === 'string' && weekdays.some((day) => day === on),
    needs: message('rules.weekNeedsOn'),
  },
  month: {
    isDay: (on: unknown) => typeof on === 'number' || on === 'last',
    needs: message('rules.monthNeedsOn'),
  },
  year: {
    isDay: (on: unknown) => typeof on === 'string' && isYearDayText(on),
    needs: message('rules.yearNeedsOn'),
  },
} as const;

function checkDay(source: RuleSource, at: JsonPath, { on }: Schedule, every: keyof typeof days): void {
  const { isDay, needs } = days[every];
  if (isDay(on)) return;
  source.error(on === undefined ? at : [...at, 'on'], needs);
}
