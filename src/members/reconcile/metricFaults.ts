import type { ObjectId } from 'bson';
import { type LocalDay, localDay } from '#base/calendar/localCalendar';
import { dayOfAggregate } from '#records/aggregates/aggregate';
import type { MemberRecords } from './memberRecords';

/** Sums of metrics by {@link dayKey}. */
type DaySums = Map<string, { metric: string; day: LocalDay; value: number }>;

/**
 * Finds daily aggregates that differ from the histories. The days and the changes that are not rolled up must say what
 * the activities of the member have counted and no cancellation has returned. Points also expire without an activity, so
 * that metric has no histories to compare with.
 */
export function metricFaults(records: MemberRecords): string[] {
  const { member, histories, deletedBefore, timezone } = records;
  if (member.mergedInto || histories.some(({ isUncounted }) => isUncounted)) return [];
  const counted = countedDays(records);
  const stored = storedDays(records);
  const complete = deletedBefore && localDay(deletedBefore, timezone);
  return [...new Set([...counted.keys(), ...stored.keys()])].flatMap((key) => {
    const [found, right] = [stored.get(key), counted.get(key)];
    const { metric, day } = found ?? right ?? { metric: '', day: new Date(0) };
    if (metric.startsWith('pointsExpired') || (complete && day <= complete)) return [];
    const [value, by] = [found?.value ?? 0, right?.value ?? 0];
    return value === by ? [] : [`${metric} of ${nameOf(day)} is ${value}, but by its histories it is ${by}`];
  });
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
  for (const { memberID, date, effects, ruleCounts } of histories) {
    const metrics = [...(effects?.metrics ?? []), ...(ruleCounts?.metrics ?? [])];
    if (metrics.length === 0) continue;
    const day = localDay(date, timezone);
    for (const { metric, value, member = memberID, ...more } of metrics) {
      const returned = 'returned' in more ? (more.returned ?? 0) : 0;
      if (isOf(member, ids)) addTo(sums, metric, day, value - returned);
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
