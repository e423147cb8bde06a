import { weekdays } from '#base/calendar/dueTimes';
import { isYearDayText, type Schedule, timedTypesOf } from '../format/schedule';
import { didYouMean } from '../source/nearest';
import type { JsonPath, RuleSource } from '../source/ruleSource';
import type { ProgramScope } from './programScope';
import type { RuleFields } from './sourcedRule';

/** Checks the schedule of a rule against its activity types, and its fields against each other. */
export function checkSchedule(source: RuleSource, at: JsonPath, rule: RuleFields, scope: ProgramScope): void {
  const types = timedTypesOf(rule);
  const isScheduled = types.includes('Scheduled');
  const { schedule } = rule;
  if (isScheduled && types.length > 1) {
    source.error([...at, 'activityTypes'], 'a rule for Scheduled has no other type that the calendar brings');
  } else if (isScheduled && schedule?.every === undefined) {
    const example = '{"every": "month", "on": 1, "at": "09:00"}';
    source.error(schedule ? [...at, 'schedule'] : at, `a rule for Scheduled needs a "schedule", such as ${example}`);
  } else if (types.includes('PointsExpiring') && schedule?.daysBefore === undefined) {
    const example = '{"daysBefore": 14}';
    source.error(
      schedule ? [...at, 'schedule'] : at,
      `a rule for PointsExpiring needs a "schedule", such as ${example}`,
    );
  }
  if (!schedule) return;
  if (types.length === 0) {
    const message = '"schedule" needs one of the activity types Scheduled, Birthday, Anniversary, PointsExpiring';
    source.keyError([...at, 'schedule'], message);
    return;
  }
  checkFields(source, [...at, 'schedule'], schedule, isScheduled);
  const { segment } = schedule;
  if (segment === undefined || scope.segments.includes(segment)) return;
  const message = `unknown segment "${segment}"${didYouMean(segment, scope.segments)}`;
  source.error([...at, 'schedule', 'segment'], message);
}

/** The fields of Scheduled, and those of the other types. */
const fieldsOf = { true: ['every', 'on', 'segment'], false: ['daysBefore'] } as const;

function checkFields(source: RuleSource, at: JsonPath, schedule: Schedule, isScheduled: boolean): void {
  for (const name of fieldsOf[isScheduled ? 'false' : 'true']) {
    if (schedule[name] === undefined) continue;
    source.keyError([...at, name], `"${name}" is ${isScheduled ? 'not ' : ''}for rules of Scheduled`);
  }
  if (isScheduled && schedule.every !== undefined) checkDay(source, at, schedule, schedule.every);
}

/** What `on` may be, by how often. */
const days = {
  day: { isDay: (on: unknown) => on === undefined, needs: 'has no "on"' },
  week: {
    isDay: (on: unknown) => typeof on === 'string' && weekdays.some((day) => day === on),
    needs: 'needs "on": a day of the week, such as "Mon"',
  },
  month: {
    isDay: (on: unknown) => typeof on === 'number' || on === 'last',
    needs: 'needs "on": a day of the month, such as 1 or "last"',
  },
  year: {
    isDay: (on: unknown) => typeof on === 'string' && isYearDayText(on),
    needs: 'needs "on": a day, such as "12-24"',
  },
} as const;

function checkDay(source: RuleSource, at: JsonPath, { on }: Schedule, every: keyof typeof days): void {
  const { isDay, needs } = days[every];
  if (isDay(on)) return;
  source.error(on === undefined ? at : [...at, 'on'], `"every": "${every}" ${needs}`);
}
