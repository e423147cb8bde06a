import assert from 'node:assert';
import type { ObjectId } from 'bson';
import type { LocalDay } from '#base/calendar/localCalendar';
import { type PeriodUnit, periodKey } from '#base/calendar/periods';
import type { MetricEntry } from '#records/aggregates/metricEvents';

/** A metric of a member in the period that contains a day. */
export interface MetricQuestion {
  member: ObjectId;
  metric: string;
  period: PeriodUnit;
  day: LocalDay;
}

/** Committed sums, by {@link sumKey}. */
export type MetricSums = ReadonlyMap<string, number>;

/** A key that is equal for requests of the same sum. */
export function sumKey({ member, metric, period, day }: MetricQuestion): string {
  return `${member.toHexString()}|${period}|${periodKey(period, day)}|${metric}`;
}

/** A committed sum plus the entries that are decided but not committed yet. Entries of other members are ignored. */
export function currentSum(
  sums: MetricSums,
  question: MetricQuestion,
  decided: readonly Pick<MetricEntry, 'member' | 'metric' | 'value' | 'day'>[],
): number {
  const committed = sums.get(sumKey(question));
  assert(committed !== undefined, 'sums that rules ask for are loaded before');
  const { member, metric, period } = question;
  const wanted = periodKey(period, question.day);
  return decided
    .filter((entry) => entry.metric === metric && entry.member.equals(member))
    .filter(({ day }) => periodKey(period, day) === wanted)
    .reduce((sum, { value }) => sum + value, committed);
}
