import { type Static, Type } from '@sinclair/typebox';
import { type DayPattern, weekdays } from '#base/calendar/dueTimes';
import { oneOf, record, text } from '#base/schema/atoms';
import { isTimedOccasionType, type TimedOccasionType } from '#records/activities/occasion';

const optional = Type.Optional;

const monthsOf31 = '(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])';
const monthsOf30 = '(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)';

/** Days of the year, as `on` of a yearly schedule: MM-DD. */
export const yearDayPattern = `(?:${monthsOf31}|${monthsOf30}|02-(?:0[1-9]|[12]\\d))`;

const yearDay = new RegExp(`^${yearDayPattern}$`);

/** Tells whether a string is a day that some year has: MM-DD. */
export function isYearDayText(text: string): boolean {
  return yearDay.test(text);
}

/** The most days that an occasion may come before its birthday, anniversary or expiry. */
const daysBeforeMax = 365;

/** When the calendar brings the occasions of a rule (docs/design/occasions.md). */
export const scheduleShape = record(
  {
    every: optional(oneOf(['day', 'week', 'month', 'year'], { description: 'For Scheduled: how often' })),
    on: optional(
      Type.Unsafe<number | string>({
        type: ['integer', 'string'],
        minimum: 1,
        maximum: 31,
        pattern: `^(${weekdays.join('|')}|last|${yearDayPattern})$`,
        description:
          'For Scheduled: the day of the week (`"Mon"`), of the month (`1` to `31`, or `"last"`) or of the year (`"12-24"`); a day that the month does not have is its last day',
      }),
    ),
    at: optional(
      Type.String({
        pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
        description: "HH:mm by the program's clock, default 00:00",
      }),
    ),
    segment: optional(
      text(100, { description: 'For Scheduled: the members who are in it then; left out: every Active member' }),
    ),
    daysBefore: optional(
      Type.Integer({
        minimum: 0,
        maximum: daysBeforeMax,
        description: 'For Birthday, Anniversary and PointsExpiring: so many days before the day itself',
      }),
    ),
  },
  { minProperties: 1, description: 'When the calendar brings the occasions of the rule' },
);

export type Schedule = Readonly<Static<typeof scheduleShape>>;

/** The rule fields on which its schedule depends. */
interface Scheduling {
  readonly activityTypes: readonly string[];
  readonly schedule?: Schedule | undefined;
}

/** The occasion types of a rule that the calendar brings. */
export function timedOccasionTypes({ activityTypes }: Scheduling): TimedOccasionType[] {
  return activityTypes.filter(isTimedOccasionType);
}

/** The days of a rule's schedule, and the time on them. Occasions that have a day of their own are looked for daily. */
export function scheduledDayPattern({ schedule = {} }: Scheduling): DayPattern {
  const { every = 'day', on, at = '00:00' } = schedule;
  return { every, on, at };
}

/** The days by which an occasion of the rule comes before its day. */
export function scheduledDaysBefore({ schedule }: Scheduling): number {
  return schedule?.daysBefore ?? 0;
}

/** The schedule of a rule in words. Rules with the same words share their occasions. */
export function scheduleText(rule: Scheduling): string {
  const { every, segment } = rule.schedule ?? {};
  const { on, at } = scheduledDayPattern(rule);
  if (every === undefined) return `${beforeText(scheduledDaysBefore(rule))} at ${at}`;
  const day = on === undefined ? '' : ` on ${on}`;
  return `every ${every}${day} at ${at}${segment === undefined ? '' : `, segment ${segment}`}`;
}

function beforeText(days: number): string {
  if (days === 0) return 'on the day';
  return days === 1 ? '1 day before' : `${days} days before`;
}
