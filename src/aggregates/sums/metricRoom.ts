import { PointsOverflow } from '../../points/pointsOverflow';
import type { MetricEntry } from '../../records/aggregates/metricEvents';
import type { Turnover } from '../../records/aggregates/turnover';
import type { Member } from '../../records/members/member';
import { integerMax } from '../../schema/atoms';

/** What a member holds of its metrics. */
export interface HeldMetrics {
  aggregates: Member['aggregates'];
  turnovers: readonly Turnover[];
}

/**
 * Most that the turnover of a metric comes to whose sums may fall: they lie between -2^52 and 2^52 then, and so the
 * difference of any two of them, which the roll-up works with, is exact as well.
 */
const turnoverMax = 2 ** 52;

/** A metric whose points are never given back; where it is full it stays so, as a timer cannot refuse. */
const isCut = (metric: string) => metric.startsWith('pointsExpired');

/**
 * Makes sure that every sum of every period stays an exact integer, without looking at one. A metric that only grows and
 * never ends has no sum above that of its lifetime. Of one with negative values or ends the member keeps the turnover,
 * which no sum of any period exceeds.
 * @returns the entries, those that are never given back cut to what is left, and the turnovers after them
 * @throws PointsOverflow when a sum might leave the exact integers; never for what is given back
 */
export function withRoom(
  { aggregates, turnovers }: HeldMetrics,
  entries: readonly MetricEntry[],
): { entries: MetricEntry[]; turnovers: readonly Turnover[] } {
  const kept = new Map(turnovers.map(({ metric, value }) => [metric, value]));
  const growing = new Map<string, number>();
  const fitting = entries.map((entry) => {
    const { metric } = entry;
    const turnover = kept.get(metric);
    const sum = growing.get(metric) ?? endlessSum(aggregates, metric);
    if (turnover === undefined && isGrowing(entry)) {
      const fit = isCut(metric) ? { ...entry, value: Math.min(entry.value, integerMax - sum) } : entry;
      growing.set(metric, checked(sum, fit.value, integerMax));
      return fit;
    }
    const change = entry.isReturn ? -Math.abs(entry.value) : Math.abs(entry.value);
    kept.set(metric, Math.max(0, checked(turnover ?? Math.abs(sum), change, turnoverMax)));
    return entry;
  });
  const isSame = kept.size === 0 && turnovers.length === 0;
  return { entries: fitting, turnovers: isSame ? turnovers : [...kept].map(([metric, value]) => ({ metric, value })) };
}

/**
 * The turnovers of the survivor of a merge.
 * @param held what each member holds
 * @throws PointsOverflow when a sum of all together might leave the exact integers
 */
export function mergeTurnovers(held: readonly HeldMetrics[]): readonly Turnover[] {
  const metrics = new Set(held.flatMap(({ aggregates }) => aggregates.map(({ metricName }) => metricName)));
  for (const { metric } of held.flatMap(({ turnovers }) => turnovers)) metrics.add(metric);
  return [...metrics].flatMap((metric) => {
    const own = held.map(({ turnovers }) => turnovers.find((each) => each.metric === metric)?.value);
    const max = own.every((value) => value === undefined) ? integerMax : turnoverMax;
    const value = held.reduce(
      (sum, { aggregates }, index) => checked(sum, own[index] ?? Math.abs(endlessSum(aggregates, metric)), max),
      0,
    );
    return max === turnoverMax ? [{ metric, value }] : [];
  });
}

/** It makes no sum fall below 0, and counts for ever. */
function isGrowing({ value, expirationDate, isReturn }: MetricEntry): boolean {
  return expirationDate === undefined && (value >= 0 || isReturn === true);
}

function endlessSum(aggregates: Member['aggregates'], metric: string): number {
  return aggregates.find((each) => each.metricName === metric && !each.expirationDate)?.metricAggValue ?? 0;
}

function checked(sum: number, change: number, max: number): number {
  const total = sum + change;
  if (change > 0 && total > max) throw new PointsOverflow();
  return total;
}
