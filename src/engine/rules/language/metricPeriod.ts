import { Type } from '@sinclair/typebox';
import { type PeriodUnit, periodUnits } from '#base/calendar/periods';
import { isDayText, type MemberYear, type RollingUnit, rollingUnits, type TimeWindow } from '#base/calendar/windows';
import { type Message, message } from '#base/common/messages/message';
import { oneOf, record, text } from '#base/schema/atoms';
import { having, ifThenElse } from '#base/schema/ifThenElse';
import type { JsonPath } from '../source/ruleSource';

/** A period of metrics: one of the calendar, or a window. */
export type MetricPeriod = PeriodUnit | TimeWindow;

/** The most units of a rolling window: a month of hours, two years of days. */
export const rollingMax: Readonly<Record<RollingUnit, number>> = { hour: 744, day: 732, week: 104, month: 24 };

const rolling = record({
  last: Type.Integer({ minimum: 1, maximum: rollingMax.hour, description: rollingText() }),
  unit: oneOf(rollingUnits, {
    description:
      "hour: exactly so many hours up to the activity's date; day, week, month: whole days, today's among them",
  }),
});

const years = ifThenElse(
  { type: 'object' },
  record({ tier: text(100, { description: 'Name of a tier policy: from each anniversary of the present level' }) }),
  oneOf(['enrolment']),
);
const memberYear = record({
  year: Type.Unsafe<MemberYear['year']>({
    ...years,
    'x-kind': '`enrolment`, or `{"tier": "<policy>"}`',
    description:
      "The member's own year that the activity's date lies in: from an anniversary of its enrolment, or of when it reached its present level under the policy",
  }),
});

const dayText = (description: string) => Type.String({ format: 'date', maxLength: 10, description });
const betweenDates = record({
  from: dayText("First day, YYYY-MM-DD in the program's time zone"),
  to: dayText('Last day; it counts too'),
});

/** The forms of a window, for documentation. */
export const windowForms = { rolling, memberYear, betweenDates } as const;

/** The schema of a window. */
const windowShape = ifThenElse(having('last'), rolling, ifThenElse(having('year'), memberYear, betweenDates));

/** The schema of a {@link MetricPeriod}. */
export const metricPeriodShape = Type.Unsafe<MetricPeriod>({
  ...ifThenElse({ type: 'object' }, windowShape, oneOf(periodUnits)),
  'x-kind': `${periodUnits.map((unit) => `\`${unit}\``).join(', ')}, or a [window](#windows)`,
  description: "The one that the activity's date lies in, in the program's time zone",
});

function rollingText(): string {
  const most = rollingUnits.map((unit) => `${rollingMax[unit]} ${unit}s`).join(', ');
  return `How many units; at most ${most}`;
}

/** What the schema of a period cannot say: the path below the period, and what is wrong. Undefined: nothing is. */
export function periodFault(period: MetricPeriod): (Message & { at: JsonPath }) | undefined {
  if (typeof period === 'string') return undefined;
  if ('from' in period && period.from > period.to) return { at: ['to'], ...message('rules.periodToBeforeFrom') };
  if (!('last' in period) || period.last <= rollingMax[period.unit]) return undefined;
  return { at: ['last'], ...message('rules.lastTooLong', { max: rollingMax[period.unit], unit: period.unit }) };
}

/** Reads a period from the params of a fact; undefined when it is none. */
export function readMetricPeriod(value: unknown): MetricPeriod | undefined {
  if (typeof value !== 'object' || value === null) return periodUnits.find((unit) => unit === value);
  const { last, unit, year, from, to }: Readonly<Record<string, unknown>> = { ...value };
  const known = rollingUnits.find((each) => each === unit);
  if (Number.isInteger(last) && known) return { last: Number(last), unit: known };
  if (year === 'enrolment') return { year };
  const tier: unknown = typeof year === 'object' && year !== null ? Reflect.get(year, 'tier') : undefined;
  if (typeof tier === 'string') return { year: { tier } };
  const isSpan = typeof from === 'string' && typeof to === 'string' && isDayText(from) && isDayText(to);
  return isSpan ? { from, to } : undefined;
}

/** The tier policy that a period names. */
export function tierOfPeriod(period: MetricPeriod | undefined): string | undefined {
  if (typeof period !== 'object' || !('year' in period)) return undefined;
  return typeof period.year === 'object' ? period.year.tier : undefined;
}
