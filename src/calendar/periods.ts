import { dayOn, type LocalDay } from './localCalendar';

/**
 * Periods of whole months, smallest first: a row is all that another one needs, and the roll-up fills it for the past.
 * `months` divides the 12 of a year; `of` says in the documentation what its number counts.
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
 * Where a day lies in each of the calendar's periods: day of the month, month of the year, and so on. Weeks
 * are 1 to 54, start on Sunday, and week 1 holds 1 January.
 */
export type Calendar = Record<'day' | 'week' | 'month' | MonthUnit | 'year', number>;

type CalendarField = keyof Calendar;

const monthUnits = monthPeriods.map(({ unit }) => unit);

/** Periods as rules and tier policies name them. */
export const periodUnits = ['day', 'week', 'month', ...monthUnits, 'year', 'lifetime'] as const;
export type PeriodUnit = (typeof periodUnits)[number];

/** A kind of aggregate: its place, what tells its documents of a member and metric apart, and what they carry. */
export interface Period {
  name: 'daily' | 'weekly' | 'monthly' | (typeof monthPeriods)[number]['name'] | 'yearly' | 'lifetime';
  /** Its word in rules and tier policies. */
  unit: PeriodUnit;
  /** Resource name, as in `lookup`. */
  model: string;
  /** Collection and path segment below `/api/v1`. */
  path: string;
  /** What makes a document unique beside org, member and metric. */
  key: readonly CalendarField[];
  /** What a document carries: the key and the larger periods it lies in. */
  fields: readonly CalendarField[];
}

/** Each lies in every larger one whose months it divides. */
const ofMonths: readonly Period[] = monthPeriods.map(({ name, unit, months, model, path }) => {
  const larger = monthPeriods.filter((each) => each.months > months && each.months % months === 0);
  return { name, unit, model, path, key: ['year', unit], fields: [unit, ...larger.map((each) => each.unit), 'year'] };
});

/**
 * All periods, smallest first. A week may lie in two months, quarters or halves, but always in one year, so it carries
 * the year only.
 */
export const periods: readonly Period[] = [
  {
    ...{ name: 'daily', unit: 'day', model: 'DailyAggregate', path: 'dailyaggregates' },
    key: ['year', 'month', 'day'],
    fields: ['day', 'week', 'month', ...monthUnits, 'year'],
  },
  {
    ...{ name: 'weekly', unit: 'week', model: 'WeeklyAggregate', path: 'weeklyaggregates' },
    key: ['year', 'week'],
    fields: ['week', 'year'],
  },
  {
    ...{ name: 'monthly', unit: 'month', model: 'MonthlyAggregate', path: 'monthlyaggregates' },
    key: ['year', 'month'],
    fields: ['month', ...monthUnits, 'year'],
  },
  ...ofMonths,
  { name: 'yearly', unit: 'year', model: 'YearAggregate', path: 'yearaggregates', key: ['year'], fields: ['year'] },
  { name: 'lifetime', unit: 'lifetime', model: 'LifetimeAggregate', path: 'lifetimeaggregates', key: [], fields: [] },
];

/** Of each period of whole months how many there are in a year, and what its number is called. */
export const monthFields = monthPeriods.map(({ unit, months, of }) => ({ unit, max: 12 / months, description: of }));

/** The periods that days are summed up into: all between daily and lifetime. */
export const largerPeriods: readonly Period[] = periods.filter(({ name }) => name !== 'daily' && name !== 'lifetime');

/** The row of a period. */
export function periodNamed(name: Period['name']): Period {
  const [period] = periods.filter((row) => row.name === name);
  if (!period) throw new RangeError(name);
  return period;
}

const byUnit = new Map<PeriodUnit, Period>(periods.map((period) => [period.unit, period]));

/** The row of a period as rules and tier policies name it. */
export function periodOf(unit: PeriodUnit): Period {
  const period = byUnit.get(unit);
  if (!period) throw new RangeError(unit);
  return period;
}

/** A text that is the same for all days of one such period and differs between periods; of a lifetime it is empty. */
export function periodKey(unit: PeriodUnit, day: LocalDay): string {
  const { key } = periodOf(unit);
  if (key.length === 0) return '';
  const calendar = calendarOf(day);
  let text = '';
  for (const field of key) text += text === '' ? calendar[field] : `-${calendar[field]}`;
  return text;
}

/** The first day of the period that a day lies in; of a week its Sunday, or 1 January when that is later. */
export function periodStart(unit: Exclude<PeriodUnit, 'lifetime'>, day: LocalDay): LocalDay {
  const calendar = calendarOf(day);
  const { month, day: date } = starts[unit](calendar, day.getUTCDay());
  return dayOn(calendar.year, month, date);
}

/** Every period lies in one year. */
const starts: Record<
  Exclude<PeriodUnit, 'lifetime'>,
  (calendar: Calendar, weekday: number) => { month: number; day: number }
> = {
  day: ({ month, day }) => ({ month, day }),
  // A day below 1 lies in the month before.
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

const dayMs = 86_400_000;

/** Finds where a day lies. */
export function calendarOf(day: LocalDay): Calendar {
  const year = day.getUTCFullYear();
  const month = day.getUTCMonth() + 1;
  const january1 = dayOn(year, 1, 1);
  const daysBefore = (day.getTime() - january1.getTime()) / dayMs;
  const week = Math.floor((daysBefore + january1.getUTCDay()) / 7) + 1;
  const calendar = { day: day.getUTCDate(), week, month, year } as Calendar;
  for (const { unit, months } of monthPeriods) calendar[unit] = Math.ceil(month / months);
  return calendar;
}
