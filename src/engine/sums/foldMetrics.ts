import type { ObjectId } from 'bson';
import type { LocalDay } from '#base/calendar/localCalendar';
import { type Calendar, calendarFields, type Period } from '#base/calendar/periods';
import type { MetricEntry } from '#records/aggregates/metricEvents';

/** The change of one member's metric in one day. */
export interface DaySum {
  member: ObjectId;
  metric: string;
  day: LocalDay;
  value: number;
}

/** The change of one member's metric in one larger period. */
export interface PeriodSum {
  member: ObjectId;
  metric: string;
  calendar: Calendar;
  value: number;
}

/** Adds entries up to one sum for each member, metric and day. */
export function foldDays(entries: Iterable<MetricEntry>): DaySum[] {
  const sums = new Map<string, DaySum>();
  for (const { member, metric, day, value } of entries) {
    const key = `${member.toHexString()}|${day.getTime()}|${metric}`;
    const sum = sums.get(key);
    if (sum) sum.value += value;
    else sums.set(key, { member, metric, day, value });
  }
  return [...sums.values()];
}

/** Adds days up to one sum for each member, metric and period. */
export function foldPeriod(period: Period, days: Iterable<DaySum>): PeriodSum[] {
  const sums = new Map<string, PeriodSum>();
  for (const { member, metric, day, value } of days) {
    const calendar = calendarFields(day);
    const key = [member.toHexString(), ...period.key.map((field) => calendar[field]), metric].join('|');
    const sum = sums.get(key);
    if (sum) sum.value += value;
    else sums.set(key, { member, metric, calendar, value });
  }
  return [...sums.values()];
}
