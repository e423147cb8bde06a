import assert from 'node:assert';
import type { ObjectId } from 'bson';
import type { LocalDay } from '../../calendar/localCalendar';
import { type PeriodUnit, periodKey } from '../../calendar/periods';
import type { MetricEntry } from '../../records/aggregates/metricEvents';

/** A metric of a member over the period that a day lies in. */
export interface MetricQuestion {
  member: ObjectId;
  metric: string;
  period: PeriodUnit;
  day: LocalDay;
}

/** Sums as they were committed, by {@link sumKey}. */
export type MetricSums = ReadonlyMap<string, number>;

/** The same text for questions about the same sum. */
export function sumKey({ member, metric, period, day }: MetricQuestion): string {
  return `${member.toHexString()}|${period}|${periodKey(period, day)}|${metric}`;
}

/** A committed sum together with what is decided but not committed yet; other members' entries are left out. */
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
