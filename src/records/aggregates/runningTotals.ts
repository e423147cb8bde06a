import { type Static, Type } from '@sinclair/typebox';
import type { LocalDay } from '#base/calendar/localCalendar';
import { periodKey, periodUnits } from '#base/calendar/periods';
import { oneOf, record, signed, text } from '#base/schema/atoms';

/**
 * A running total: the sum of a metric in one period, stored in the member so that commits need not read aggregates.
 */
export const runningTotalShape = record({
  metric: text(150),
  period: oneOf(periodUnits),
  key: Type.String({ maxLength: 20, description: 'periodKey of the period' }),
  value: signed(),
});

export type RunningTotal = Readonly<Static<typeof runningTotalShape>>;

/** A metric and a kind of period. */
export type TotalBasis = Pick<RunningTotal, 'metric' | 'period'>;

/** Most running totals of a member. */
export const runningTotalsMax = 100;

/** The running total of a metric in the period of a day; undefined when there is none. */
export function runningTotal(
  sums: readonly RunningTotal[],
  { metric, period }: TotalBasis,
  day: LocalDay,
): number | undefined {
  const key = periodKey(period, day);
  return sums.find((sum) => sum.metric === metric && sum.period === period && sum.key === key)?.value;
}

/** The running totals after these changes of metrics. Each change counts in the periods of its day. */
export function addToRunningTotals(
  sums: readonly RunningTotal[],
  entries: readonly { metric: string; value: number; day: LocalDay }[],
): readonly RunningTotal[] {
  return sums.map((sum) => {
    const own = entries.filter(({ metric, day }) => metric === sum.metric && periodKey(sum.period, day) === sum.key);
    return own.length === 0 ? sum : { ...sum, value: own.reduce((to, { value }) => to + value, sum.value) };
  });
}
