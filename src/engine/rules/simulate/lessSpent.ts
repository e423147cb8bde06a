import { localDay } from '#base/calendar/localCalendar';
import { daysBetween, isInSpan } from '#base/calendar/windows';
import { type SnapshotFact, seenAt } from '../explain/factSnapshot';
import { aggregateParamsOf, crossedParamsOf, crossings, type MetricSum } from '../language/factParams';
import type { ProcessedActivity } from './processedActivity';

/** The facts that are sums, and so change when a part of the value of an activity is returned. */
export const factsOfSums: ReadonlySet<string> = new Set(['aggregate', 'crossed']);

/**
 * A sum of `spend`, or a crossing of it, without the returned value. The sum of the snapshot includes the value of the
 * activity itself. Other metrics stay as they were.
 */
export function lessSpent(read: SnapshotFact, past: ProcessedActivity, returned: number): SnapshotFact {
  const sum = aggregateParamsOf(read.params);
  if (typeof read.value !== 'number' || !sum || !countsSpend(sum, past)) return read;
  if (read.fact === 'aggregate') return { ...read, value: read.value - returned };
  const crossing = crossedParamsOf(read.params);
  const reached = crossing && sumOf(sum, read.priority, past.facts);
  if (reached === undefined) return read;
  return { ...read, value: crossings(crossing?.of ?? [], reached - past.activity.value, reached - returned) };
}

function countsSpend({ metric, period }: MetricSum, { activity, program }: ProcessedActivity): boolean {
  if (metric !== 'spend' || activity.type !== 'Accrual') return false;
  const isBetween = typeof period !== 'string' && 'from' in period;
  return !isBetween || isInSpan(daysBetween(period), localDay(activity.date, program.timezone));
}

/** The sum that rules of a priority read; the snapshot has it for every crossing. */
function sumOf(wanted: MetricSum, priority: number, facts: readonly SnapshotFact[]): number | undefined {
  const key = JSON.stringify(wanted);
  const readings = facts.filter(
    ({ fact, params }) => fact === 'aggregate' && JSON.stringify(aggregateParamsOf(params)) === key,
  );
  const value = seenAt(readings, priority)?.value;
  return typeof value === 'number' ? value : undefined;
}
