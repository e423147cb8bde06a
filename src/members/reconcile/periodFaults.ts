import { largerPeriods, type Period, periodKey } from '#base/calendar/periods';
import { type Aggregate, dayOfAggregate } from '#records/aggregates/aggregate';
import type { MemberRecords } from './memberRecords';
import { storedDays } from './metricFaults';

/** Sums by the metric and the place in the calendar. */
type Sums = Map<string, { metric: string; place: string; value: number }>;

/**
 * Finds aggregates of larger periods, lifetime aggregates and running totals that differ from the days. A larger period
 * has what its days say that it includes; the others also have what is not rolled up.
 */
export function periodFaults(records: MemberRecords): string[] {
  const { member, aggregates } = records;
  if (member.mergedInto) return [];
  const days = aggregates.get('daily') ?? [];
  return [
    ...days.flatMap(cleanFaults),
    ...largerPeriods.flatMap((period) => largerFaults(period, days, aggregates.get(period.name) ?? [])),
    ...lifetimeFaults(records),
    ...keptSumFaults(records),
  ];
}

function cleanFaults({ _id, dirty, metricAggValue, propagatedValue = 0 }: Aggregate): string[] {
  if (dirty || metricAggValue === propagatedValue) return [];
  return [`daily aggregate ${_id} is ${metricAggValue}, but larger periods include ${propagatedValue} of it`];
}

function largerFaults(period: Period, days: readonly Aggregate[], stored: readonly Aggregate[]): string[] {
  const [found, right]: [Sums, Sums] = [new Map(), new Map()];
  for (const aggregate of stored) {
    const place = period.key.map((field) => aggregate[field]).join('-');
    add(found, aggregate.metricName, place, aggregate.metricAggValue);
  }
  for (const day of days) {
    if (!day.propagatedValue) continue;
    add(right, day.metricName, periodKey(period.unit, dayOfAggregate(day)), day.propagatedValue);
  }
  return differences(found, right, (metric, place) => `the ${period.name} aggregate of ${metric} for ${place}`);
}

/** Lifetime aggregates that have ended are in their collection, the others in the member. */
function lifetimeFaults({ member, aggregates, pending }: MemberRecords): string[] {
  const [found, right]: [Sums, Sums] = [new Map(), new Map()];
  for (const { metricName: metric, metricAggValue } of [...member.aggregates, ...(aggregates.get('lifetime') ?? [])])
    add(found, metric, '', metricAggValue);
  for (const { metric, value } of storedDays({ aggregates, pending }).values()) add(right, metric, '', value);
  return differences(found, right, (metric) => `the lifetime aggregate of ${metric}`);
}

function keptSumFaults({ member, aggregates, pending }: MemberRecords): string[] {
  const { keptSums = [] } = member;
  if (keptSums.length === 0) return [];
  const days = [...storedDays({ aggregates, pending }).values()];
  return keptSums.flatMap(({ metric, period, key, value }) => {
    const own = days.filter((each) => each.metric === metric && periodKey(period, each.day) === key);
    const right = own.reduce((sum, each) => sum + each.value, 0);
    return right === value
      ? []
      : [`the running total of ${metric} for ${key} is ${value}, but by its days it is ${right}`];
  });
}

function add(sums: Sums, metric: string, place: string, value: number): void {
  const key = `${metric} ${place}`;
  const sum = sums.get(key);
  if (sum) sum.value += value;
  else sums.set(key, { metric, place, value });
}

function differences(found: Sums, right: Sums, nameOf: (metric: string, place: string) => string): string[] {
  return [...new Map([...found, ...right])].flatMap(([key, { metric, place }]) => {
    const [is, should] = [found.get(key)?.value ?? 0, right.get(key)?.value ?? 0];
    return is === should ? [] : [`${nameOf(metric, place)} is ${is}, but by its days it is ${should}`];
  });
}
