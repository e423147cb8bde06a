import type { ObjectId } from 'bson';
import { derivedId } from '#base/db/records';
import { integerMax } from '#base/schema/atoms';
import { PointsOverflow } from '#engine/points/pointsOverflow';
import type { Activity } from '#records/activities/activity';
import type { MetricEntry } from '#records/aggregates/metricEvents';
import type { Turnover } from '#records/aggregates/turnover';
import type { Member } from '#records/members/member';

type Lifetime = Member['aggregates'][number];

/** One change of a lifetime metric; `MetricEntry` fits. */
export interface LifetimeEntry {
  metric: string;
  /** Negative for a value that a cancellation returns. */
  value: number;
  /** The end of the aggregate to which the value is added, see {@link lifetimeEnd}; absent: the one without an end. */
  expirationDate?: Date;
}

/** The present value of a member's lifetime metric. Aggregates that have ended do not count. */
export function lifetimeValue(aggregates: Member['aggregates'], metric: string, now: Date): number {
  const open = aggregates.filter(
    ({ metricName, expirationDate }) => metricName === metric && (!expirationDate || expirationDate > now),
  );
  return open.reduce((sum, { metricAggValue }) => sum + metricAggValue, 0);
}

/** When the first of these lifetime aggregates ends; undefined when none does. */
export function firstEnd(aggregates: readonly { readonly expirationDate?: Date | undefined }[]): Date | undefined {
  let first: Date | undefined;
  for (const { expirationDate } of aggregates) {
    if (expirationDate && (!first || expirationDate < first)) first = expirationDate;
  }
  return first;
}

/**
 * The end of the aggregate to which a new value is added: the first end among the open aggregates of its metric. If
 * none is open, the value's own end `own`. So the first value sets the end, and later values do not move it. The end is
 * fixed when the value is earned, so that a cancellation subtracts from the same aggregate, even if that has ended.
 */
export function lifetimeEnd(aggregates: readonly Lifetime[], metric: string, own: Date, now: Date): Date {
  const open = aggregates.filter((each) => each.metricName === metric && !isExpired(each, now));
  return firstEnd(open) ?? own;
}

/**
 * The end of the aggregate from which a returned value is subtracted, when no end was stored with the value. If the
 * member has an aggregate without an end, the value is in that one (undefined). Otherwise the value is older than the
 * storing of ends, and the aggregate with the first end has it. If there is no aggregate at all, it ended and was moved
 * out of the member; then the result is `now`, so that the subtraction counts as ended too.
 */
export function endOfReturned(aggregates: readonly Lifetime[], metric: string, now: Date): Date | undefined {
  const ofMetric = aggregates.filter(({ metricName }) => metricName === metric);
  return ofMetric.every(({ expirationDate }) => expirationDate) ? (firstEnd(ofMetric) ?? now) : undefined;
}

/**
 * Adds metric values to a member's lifetime aggregates, each to the one with its metric and end. A missing aggregate is
 * created, even one that has ended: the timer adds it to the aggregate that was moved before. The input is not changed.
 */
export function addToLifetime(
  aggregates: readonly Lifetime[],
  entries: readonly LifetimeEntry[],
  now: Date,
  memberId: ObjectId,
): Lifetime[] {
  const result = [...aggregates];
  const places = new Map(
    result.map(({ metricName, expirationDate }, place) => [metricEndKey(metricName, expirationDate), place]),
  );
  for (const entry of entries) {
    const key = metricEndKey(entry.metric, entry.expirationDate);
    const place = places.get(key) ?? result.length;
    places.set(key, place);
    result[place] = added(result[place], entry, now, memberId);
  }
  return result;
}

function metricEndKey(metric: string, end: Date | undefined): string {
  return `${end?.getTime() ?? ''} ${metric}`;
}

/** Tells whether an aggregate has ended and accepts no new values. */
function isExpired({ expirationDate }: Lifetime, now: Date): boolean {
  return expirationDate !== undefined && expirationDate.getTime() <= now.getTime();
}

function added(
  old: Lifetime | undefined,
  { metric, value, expirationDate }: LifetimeEntry,
  now: Date,
  memberId: ObjectId,
) {
  return {
    _id: old?._id ?? lifetimeId(memberId, metric, expirationDate),
    metricName: metric,
    metricAggValue: (old?.metricAggValue ?? 0) + value,
    lastAggDate: now,
    ...(expirationDate === undefined ? {} : { expirationDate }),
  };
}

/**
 * The id of a member's lifetime aggregate. It depends on the end: the next aggregate of a metric is another document.
 */
export function lifetimeId(memberId: ObjectId, metric: string, expirationDate: Date | undefined): ObjectId {
  return derivedId('lifetime', memberId, metric, expirationDate?.getTime() ?? '');
}

/**
 * The lifetime aggregates of the survivor of a merge: one sum for each metric and end, so that a later cancellation
 * still finds the aggregate of its value.
 * @param aggregates the aggregates of each member, the survivor's first
 */
export function mergeLifetime(survivor: ObjectId, aggregates: readonly (readonly Lifetime[])[], now: Date): Lifetime[] {
  const [own = [], ...others] = aggregates;
  return addToLifetime(own, others.flat().map(lifetimeEntry), now, survivor);
}

function lifetimeEntry({ metricName: metric, metricAggValue: value, expirationDate }: Lifetime) {
  return { metric, value, ...(expirationDate ? { expirationDate } : {}) };
}

/** The metrics that are stored in a member. */
interface MemberMetrics {
  aggregates: Member['aggregates'];
  turnovers: readonly Turnover[];
}

/**
 * The largest turnover of a metric whose sums may fall. With it, all sums are between -2^52 and 2^52. So the difference
 * of any two sums, which the roll-up computes, is an exact integer too.
 */
const turnoverMax = 2 ** 52;

/** Expired points are never returned. When the metric is full, its entries are cut: a timer cannot refuse an expiry. */
const isCut = (metric: string) => metric.startsWith('pointsExpired');

/**
 * Ensures that every sum of every period stays an exact integer, without reading the sums. If a metric only grows and
 * has no end, no sum exceeds its lifetime sum. For a metric with negative values or ends, the member stores the
 * turnover, which no sum of any period exceeds.
 * @returns the entries, with expired points cut to what the sum can still hold, and the turnovers after the entries
 * @throws PointsOverflow when a sum might leave the range of exact integers; never for a return
 */
export function withinExactSums(
  { aggregates, turnovers }: MemberMetrics,
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
  return { entries: fitting, turnovers: [...kept].map(([metric, value]) => ({ metric, value })) };
}

/**
 * The turnovers of the survivor of a merge.
 * @param ofMembers the metrics of each member
 * @throws PointsOverflow when a sum of all members might leave the range of exact integers
 */
export function mergeTurnovers(ofMembers: readonly MemberMetrics[]): readonly Turnover[] {
  const metrics = new Set(ofMembers.flatMap(({ aggregates }) => aggregates.map(({ metricName }) => metricName)));
  for (const { metric } of ofMembers.flatMap(({ turnovers }) => turnovers)) metrics.add(metric);
  return [...metrics].flatMap((metric) => {
    const own = ofMembers.map(({ turnovers }) => turnovers.find((each) => each.metric === metric)?.value);
    const max = own.every((value) => value === undefined) ? integerMax : turnoverMax;
    const value = ofMembers.reduce(
      (sum, { aggregates }, index) => checked(sum, own[index] ?? Math.abs(endlessSum(aggregates, metric)), max),
      0,
    );
    return max === turnoverMax ? [{ metric, value }] : [];
  });
}

/** Tells whether an entry has no end and makes no sum fall below 0. */
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

/** The metrics that every purchase (Accrual) counts: `spend` and `visits`. Other types of activities count none. */
export function builtInMetrics({ type, value }: Pick<Activity, 'type' | 'value'>): { metric: string; value: number }[] {
  if (type !== 'Accrual') return [];
  return [
    { metric: 'spend', value },
    { metric: 'visits', value: 1 },
  ];
}
