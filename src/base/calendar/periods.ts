import { dayMs } from '#base/common/durations';
import { dayOn, type LocalDay } from './localCalendar';

/**
 * Periods of whole months, smallest first. To add a period, add a row here; the roll-up fills its aggregates for the
 * past. `months` must divide 12. `of` describes the number of the period in the documentation.
 */
const monthPeriods = [
  {
    name: 'quarterly',
    unit: 'quarter',
    months: 3,
    model: 'QuarterlyAggregate',
    path: 'quarterlyaggregates',
    of: 'Quarter of the year',
  },
  {
    name: 'halfyear',
    unit: 'halfYear',
    months: 6,
    model: 'HalfYearAggregate',
    path: 'halfyearaggregates',
    of: 'Half of the year',
  },
] as const;

type MonthUnit = (typeof monthPeriods)[number]['unit'];

/**
 * The number of a day in each period of the calendar: day of the month, month of the year, and so on. Weeks are 1 to 54
 * and start on Sunday; 1 January is in week 1.
 */
export type Calendar = Record<'day' | 'week' | 'month' | MonthUnit | 'year', number>;

type CalendarField = keyof Calendar;

const monthUnits = monthPeriods.map(({ unit }) => unit);

/** Periods as rules and tier policies name them. */
export const periodUnits = ['day', 'week', 'month', ...monthUnits, 'year', 'lifetime'] as const;
export type PeriodUnit = (typeof periodUnits)[number];

/** A kind of period: its names, the path of its aggregates, and their calendar fields. */
export interface Period {
  name: 'daily' | 'weekly' | 'monthly' | (typeof monthPeriods)[number]['name'] | 'yearly' | 'lifetime';
  /** Its name in rules and tier policies. */
  unit: PeriodUnit;
  /** Resource name, as in `lookup`. */
  model: string;
  /** Collection and path segment below `/api/v1`. */
  path: string;
  /** The fields that make an aggregate unique, together with org, member and metric. */
  key: readonly CalendarField[];
  /** The calendar fields of an aggregate: the key and the larger periods that contain it. */
  fields: readonly CalendarField[];
}

/** A period is part of every larger period whose months are a multiple of its own. */
const ofMonths: readonly Period[] = monthPeriods.map(({ name, unit, months, model, path }) => {
  const larger = monthPeriods.filter((each) => each.months > months && each.months % months === 0);
  return { name, unit, model, path, key: ['year', unit], fields: [unit, ...larger.map((each) => each.unit), 'year'] };
});

/**
 * All periods, smallest first. A week can be in two months, quarters or half years, but it is always in one year. So
 * its aggregates have only the year.
 */
export const periods: readonly Period[] = [
  {
    name: 'daily',
    unit: 'day',
    model: 'DailyAggregate',
    path: 'dailyaggregates',
    key: ['year', 'month', 'day'],
    fields: ['day', 'week', 'month', ...monthUnits, 'year'],
  },
  {
    name: 'weekly',
    unit: 'week',
    model: 'WeeklyAggregate',
    path: 'weeklyaggregates',
    key: ['year', 'week'],
    fields: ['week', 'year'],
  },
  {
    name: 'monthly',
    unit: 'month',
    model: 'MonthlyAggregate',
    path: 'monthlyaggregates',
    key: ['year', 'month'],
    fields: ['month', ...monthUnits, 'year'],
  },
  ...ofMonths,
  { name: 'yearly', unit: 'year', model: 'YearAggregate', path: 'yearaggregates', key: ['year'], fields: ['year'] },
  { name: 'lifetime', unit: 'lifetime', model: 'LifetimeAggregate', path: 'lifetimeaggregates', key: [], fields: [] },
];

/** For each period of whole months: how many there are in a year, and the description of its number. */
export const monthFields = monthPeriods.map(({ unit, months, of }) => ({ unit, max: 12 / months, description: of }));

/** The periods into which days are summed: all except daily and lifetime. */
export const largerPeriods: readonly Period[] = periods.filter(({ name }) => name !== 'daily' && name !== 'lifetime');

/** The period with this name. */
export function periodNamed(name: Period['name']): Period {
  const [period] = periods.filter((row) => row.name === name);
  if (!period) throw new RangeError(name);
  return period;
}

const byUnit = new Map<PeriodUnit, Period>(periods.map((period) => [period.unit, period]));

/** The period with this name in rules and tier policies. */
export function findPeriod(unit: PeriodUnit): Period {
  const period = byUnit.get(unit);
  if (!period) throw new RangeError(unit);
  return period;
}

/** A string that is equal for all days of one period and differs between periods; empty for a lifetime. */
export function periodKey(unit: PeriodUnit, day: LocalDay): string {
  const { key } = findPeriod(unit);
  if (key.length === 0) return '';
  const calendar = calendarFields(day);
  let text = '';
  for (const field of key) text += text === '' ? calendar[field] : `-${calendar[field]}`;
  return text;
}

/** The first day of the period that contains a day. For a week: its Sunday, or 1 January if that is later. */
export function periodStart(unit: Exclude<PeriodUnit, 'lifetime'>, day: LocalDay): LocalDay {
  const calendar = calendarFields(day);
  const { month, day: date } = starts[unit](calendar, day.getUTCDay());
  return dayOn(calendar.year, month, date);
}

/** The first day of the period that follows the one with a day. */
export function nextPeriodStart(unit: Exclude<PeriodUnit, 'lifetime'>, day: LocalDay): LocalDay {
  const key = periodKey(unit, day);
  let next = day;
  while (periodKey(unit, next) === key)
    next = dayOn(next.getUTCFullYear(), next.getUTCMonth() + 1, next.getUTCDate() + 1);
  return next;
}

/** The first day of a period in its year; every period is in one year. */
const starts: Record<
  Exclude<PeriodUnit, 'lifetime'>,
  (calendar: Calendar, weekday: number) => { month: number; day: number }
> = {
  day: ({ month, day }) => ({ month, day }),
  // A day below 1 is a day of the month before.
  week: ({ month, day }, weekday) => ({ month, day: month === 1 ? Math.max(1, day - weekday) : day - weekday }),
  month: ({ month }) => ({ month, day: 1 }),
  ...startsOfMonths(),
  year: () => ({ month: 1, day: 1 }),
};

function startsOfMonths() {
  return Object.fromEntries(
    monthPeriods.map(({ unit, months }) => [
      unit,
      (calendar: Calendar) => ({ month: months * (calendar[unit] - 1) + 1, day: 1 }),
    ]),
  ) as Record<MonthUnit, (calendar: Calendar) => { month: number; day: number }>;
}

/** Computes the numbers of a day in all periods. */
export function calendarFields(day: LocalDay): Calendar {
  const year = day.getUTCFullYear();
  const month = day.getUTCMonth() + 1;
  const january1 = dayOn(year, 1, 1);
  const daysBefore = (day.getTime() - january1.getTime()) / dayMs;
  const week = Math.floor((daysBefore + january1.getUTCDay()) / 7) + 1;
  const calendar = { day: day.getUTCDate(), week, month, year } as Calendar;
  for (const { unit, months } of monthPeriods) calendar[unit] = Math.ceil(month / months);
  return calendar;
}
