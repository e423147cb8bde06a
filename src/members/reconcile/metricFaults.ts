import type { ObjectId } from 'bson';
import { type LocalDay, localDay } from '#base/calendar/localCalendar';
import { dayOfAggregate } from '#records/aggregates/aggregate';
import { metricsOf } from './historySums';
import type { MemberRecords } from './memberRecords';

/** Sums of metrics by {@link dayKey}. */
type DaySums = Map<string, { metric: string; day: LocalDay; value: number }>;

/**
 * Finds daily aggregates that differ from the histories. The days and the changes that are not rolled up must say what
 * the activities of the member have counted and no cancellation has returned. Points also expire without an activity, so
 * that metric has no histories to compare with.
 */
export function metricFaults(records: MemberRecords): string[] {
  const { member, histories, deletedBefore, timezone, opening } = records;
  if (member.mergedInto || opening.isUncounted || histories.some(({ isUncounted }) => isUncounted)) return [];
  const counted = countedDays(records);
  const stored = storedDays(records);
  // What was archived is only known as a sum of all days.
  const known = [deletedBefore, opening.countedUpTo].flatMap((date) => (date ? [localDay(date, timezone)] : []));
  const complete = known.length > 0 ? new Date(Math.max(...known.map(Number))) : undefined;
  return [
    ...dayFaults(stored, counted, complete),
    ...(deletedBefore || opening.activities === 0 ? [] : totalFaults(stored, counted, opening)),
  ];
}

/** Days after the last one of which not all histories are there. */
function dayFaults(stored: DaySums, counted: DaySums, complete: Date | undefined): string[] {
  return [...new Set([...counted.keys(), ...stored.keys()])].flatMap((key) => {
    const [found, right] = [stored.get(key), counted.get(key)];
    const { metric, day } = found ?? right ?? { metric: '', day: new Date(0) };
    if (metric.startsWith('pointsExpired') || (complete && day <= complete)) return [];
    const [value, by] = [found?.value ?? 0, right?.value ?? 0];
    return value === by ? [] : [`${metric} of ${nameOf(day)} is ${value}, but by its histories it is ${by}`];
  });
}

/** The sums of all days, with what the archive says. */
function totalFaults(stored: DaySums, counted: DaySums, { metrics }: MemberRecords['opening']): string[] {
  const [found, right] = [byMetric(stored.values()), byMetric([...counted.values(), ...metrics])];
  return [...new Set([...found.keys(), ...right.keys()])].flatMap((metric) => {
    const [value, by] = [found.get(metric) ?? 0, right.get(metric) ?? 0];
    const isRight = metric.startsWith('pointsExpired') || Math.abs(value - by) <= exactness * Math.max(1, Math.abs(by));
    return isRight ? [] : [`${metric} of all days is ${value}, but by its histories and its archive it is ${by}`];
  });
}

/** Values with decimals are added up in another order than they were counted, with an error in the last digits. */
const exactness = 1e-6;

function byMetric(values: Iterable<{ metric: string; value: number }>): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { metric, value } of values) sums.set(metric, (sums.get(metric) ?? 0) + value);
  return sums;
}

/** The values of the days, with what is not rolled up. */
export function storedDays({ aggregates, pending }: Pick<MemberRecords, 'aggregates' | 'pending'>): DaySums {
  const sums: DaySums = new Map();
  for (const aggregate of aggregates.get('daily') ?? [])
    addTo(sums, aggregate.metricName, dayOfAggregate(aggregate), aggregate.metricAggValue);
  for (const { metric, day, value } of pending) addTo(sums, metric, day, value);
  return sums;
}

function countedDays({ histories, ids, timezone }: MemberRecords): DaySums {
  const sums: DaySums = new Map();
  for (const history of histories) {
    const metrics = metricsOf(history);
    if (metrics.length === 0) continue;
    const day = localDay(history.date, timezone);
    for (const { member, metric, value } of metrics) {
      if (isOf(member, ids)) addTo(sums, metric, day, value);
    }
  }
  return sums;
}

function isOf(member: ObjectId, ids: ReadonlySet<string>): boolean {
  return ids.has(member.toHexString());
}

function addTo(sums: DaySums, metric: string, day: LocalDay, value: number): void {
  const key = `${metric} ${day.getTime()}`;
  const sum = sums.get(key);
  if (sum) sum.value += value;
  else sums.set(key, { metric, day, value });
}

function nameOf(day: Date): string {
  return day.toISOString().slice(0, 10);
}
