import { largerPeriods, type Period, periodKey } from '#base/calendar/periods';
import { type Aggregate, dayOfAggregate } from '#records/aggregates/aggregate';
import type { MemberRecords } from './memberRecords';
import { storedDays } from './metricFaults';

/** A sum, with the sentence that says whose it is. */
type Sums = Map<string, { of: string; value: number }>;

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
  const name = (metric: string, place: string) => `the ${period.name} aggregate of ${metric} for ${place}`;
  for (const aggregate of stored) {
    const place = period.key.map((field) => aggregate[field]).join('-');
    add(found, `${aggregate.metricName} ${place}`, name(aggregate.metricName, place), aggregate.metricAggValue);
  }
  for (const day of days) {
    const place = periodKey(period.unit, dayOfAggregate(day));
    add(right, `${day.metricName} ${place}`, name(day.metricName, place), day.propagatedValue ?? 0);
  }
  return differences(found, right, 'its days');
}

/** Lifetime aggregates that have ended are in their collection, the others in the member. */
function lifetimeFaults({ member, aggregates, pending }: MemberRecords): string[] {
  const [found, right]: [Sums, Sums] = [new Map(), new Map()];
  const name = (metric: string) => `the lifetime aggregate of ${metric}`;
  for (const { metricName: metric, metricAggValue } of [...member.aggregates, ...(aggregates.get('lifetime') ?? [])])
    add(found, metric, name(metric), metricAggValue);
  for (const { metric, value } of storedDays({ aggregates, pending }).values()) add(right, metric, name(metric), value);
  return differences(found, right, 'its days');
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

function add(sums: Sums, key: string, of: string, value: number): void {
  const sum = sums.get(key);
  if (sum) sum.value += value;
  else sums.set(key, { of, value });
}

function differences(found: Sums, right: Sums, by: string): string[] {
  return [...new Set([...found.keys(), ...right.keys()])].flatMap((key) => {
    const [is, should] = [found.get(key)?.value ?? 0, right.get(key)?.value ?? 0];
    const of = (found.get(key) ?? right.get(key))?.of;
    return is === should ? [] : [`${of} is ${is}, but by ${by} it is ${should}`];
  });
}
