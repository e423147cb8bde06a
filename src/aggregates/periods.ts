/** Where a UTC day lies in each of the calendar's periods (DESIGN 11). */
export interface Calendar {
  /** Day of the month, 1 to 31. */
  day: number;
  /** Week of the year, 1 to 54; weeks start on Sunday, week 1 holds 1 January. */
  week: number;
  month: number;
  quarter: number;
  halfYear: number;
  year: number;
}

type CalendarField = keyof Calendar;

/** Periods as rules and tier policies name them. */
export const periodUnits = ['day', 'week', 'month', 'quarter', 'halfYear', 'year', 'lifetime'] as const;
export type PeriodUnit = (typeof periodUnits)[number];

/** A kind of aggregate: its place, what tells its documents of a member and metric apart, and what they carry. */
export interface Period {
  name: 'daily' | 'weekly' | 'monthly' | 'quarterly' | 'halfyear' | 'yearly' | 'lifetime';
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

/**
 * The seven periods, smallest first. A week may lie in two months, quarters or halves, but always in one year, so it
 * carries the year only.
 */
export const periods = [
  {
    name: 'daily',
    unit: 'day',
    model: 'DailyAggregate',
    path: 'dailyaggregates',
    key: ['year', 'month', 'day'],
    fields: ['day', 'week', 'month', 'quarter', 'halfYear', 'year'],
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
    fields: ['month', 'quarter', 'halfYear', 'year'],
  },
  {
    name: 'quarterly',
    unit: 'quarter',
    model: 'QuarterlyAggregate',
    path: 'quarterlyaggregates',
    key: ['year', 'quarter'],
    fields: ['quarter', 'halfYear', 'year'],
  },
  {
    name: 'halfyear',
    unit: 'halfYear',
    model: 'HalfYearAggregate',
    path: 'halfyearaggregates',
    key: ['year', 'halfYear'],
    fields: ['halfYear', 'year'],
  },
  { name: 'yearly', unit: 'year', model: 'YearAggregate', path: 'yearaggregates', key: ['year'], fields: ['year'] },
  {
    name: 'lifetime',
    unit: 'lifetime',
    model: 'LifetimeAggregate',
    path: 'lifetimeaggregates',
    key: [],
    fields: [],
  },
] as const satisfies readonly Period[];

/** The periods that days are summed up into: all between daily and lifetime. */
export const largerPeriods: readonly Period[] = periods.filter(({ name }) => name !== 'daily' && name !== 'lifetime');

/** The row of a period. */
export function periodNamed(name: Period['name']): Period {
  const [period] = periods.filter((row) => row.name === name);
  if (!period) throw new RangeError(name);
  return period;
}

/** The row of a period as rules and tier policies name it. */
export function periodOf(unit: PeriodUnit): Period {
  const [period] = periods.filter((row) => row.unit === unit);
  if (!period) throw new RangeError(unit);
  return period;
}

/** A text that is the same for all dates of one such period and differs between periods; of a lifetime it is empty. */
export function periodKey(unit: PeriodUnit, date: Date): string {
  const calendar = calendarOf(date);
  return periodOf(unit)
    .key.map((field) => calendar[field])
    .join('-');
}

const dayMs = 86_400_000;

/** Finds where the UTC day of `instant` lies. */
export function calendarOf(instant: Date): Calendar {
  const year = instant.getUTCFullYear();
  const month = instant.getUTCMonth() + 1;
  const january1 = new Date(instant);
  january1.setUTCMonth(0, 1);
  const daysBefore = Math.floor(instant.getTime() / dayMs) - Math.floor(january1.getTime() / dayMs);
  return {
    day: instant.getUTCDate(),
    week: Math.floor((daysBefore + january1.getUTCDay()) / 7) + 1,
    month,
    quarter: Math.ceil(month / 3),
    halfYear: Math.ceil(month / 6),
    year,
  };
}

/** Midnight UTC that begins the day of `instant`. */
export function dayOf(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / dayMs) * dayMs);
}
