import type { ObjectId } from 'bson';
import { derivedId } from '../../db/records';
import { PointsOverflow } from '../../points/pointsOverflow';
import type { Activity } from '../../records/activities/activity';
import type { MetricEntry } from '../../records/aggregates/metricEvents';
import type { Turnover } from '../../records/aggregates/turnover';
import type { Member } from '../../records/members/member';
import { integerMax } from '../../schema/atoms';

type Lifetime = Member['aggregates'][number];

/** One change of a lifetime metric; `MetricEntry` fits. */
export interface LifetimeEntry {
  metric: string;
  /** Negative for what a cancellation takes back. */
  value: number;
  /** The end of the aggregate that it goes to, see {@link lifetimeEnd}; absent: the one without an end. */
  expirationDate?: Date;
}

/** The value of a lifetime metric that a member holds now; one that has ended counts no more. */
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
 * The end of the aggregate that a new value goes to: the first end of those of its metric that are open, so that the
 * first value gives the end and later ones do not move it; where none is open, its own. Fixed when it is earned, so that
 * a cancellation takes it from the same aggregate, ended or not.
 */
export function lifetimeEnd(aggregates: readonly Lifetime[], metric: string, own: Date, now: Date): Date {
  const open = aggregates.filter((each) => each.metricName === metric && !isExpired(each, now));
  return firstEnd(open) ?? own;
}

/**
 * The end of the aggregate from which a value goes back whose end was not stored with it. It went to the one without an
 * end, if the member has that; otherwise it is of before ends were kept, and the first of those there had it. Where none
 * is there any more, it was moved away: what is subtracted has ended too.
 */
export function endOfReturned(aggregates: readonly Lifetime[], metric: string, now: Date): Date | undefined {
  const held = aggregates.filter(({ metricName }) => metricName === metric);
  return held.every(({ expirationDate }) => expirationDate) ? (firstEnd(held) ?? now) : undefined;
}

/**
 * Adds metric values to the lifetime aggregates a member holds, each to the one of its metric and end. One that is not
 * there begins, also one that has ended: the timer joins it with what was moved before. Never changes what it is given.
 */
export function addToLifetime(
  aggregates: readonly Lifetime[],
  entries: readonly LifetimeEntry[],
  now: Date,
  memberId: ObjectId,
): Lifetime[] {
  const result = [...aggregates];
  const places = new Map(
    result.map(({ metricName, expirationDate }, place) => [keyOf(metricName, expirationDate), place]),
  );
  for (const entry of entries) {
    const key = keyOf(entry.metric, entry.expirationDate);
    const place = places.get(key) ?? result.length;
    places.set(key, place);
    result[place] = added(result[place], entry, now, memberId);
  }
  return result;
}

function keyOf(metric: string, end: Date | undefined): string {
  return `${end?.getTime() ?? ''} ${metric}`;
}

/** Tells whether an aggregate takes no new values. */
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

/** The id of a member's lifetime aggregate. The end is part of it: after one is moved away, the member's next one of that metric is another document. */
export function lifetimeId(memberId: ObjectId, metric: string, expirationDate: Date | undefined): ObjectId {
  return derivedId('lifetime', memberId, metric, expirationDate?.getTime() ?? '');
}

/**
 * The lifetime aggregates of the survivor of a merge: of each metric and end the sum, so that what is cancelled later
 * still finds the aggregate it went to.
 * @param held what each member holds, the survivor's first
 */
export function mergeLifetime(survivor: ObjectId, held: readonly (readonly Lifetime[])[], now: Date): Lifetime[] {
  const [own = [], ...others] = held;
  return addToLifetime(own, others.flat().map(entryOf), now, survivor);
}

function entryOf({ metricName: metric, metricAggValue: value, expirationDate }: Lifetime) {
  return { metric, value, ...(expirationDate ? { expirationDate } : {}) };
}

/** What a member holds of its metrics. */
interface MemberMetrics {
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
  const isSame = kept.size === 0 && turnovers.length === 0;
  return { entries: fitting, turnovers: isSame ? turnovers : [...kept].map(([metric, value]) => ({ metric, value })) };
}

/**
 * The turnovers of the survivor of a merge.
 * @param held what each member holds
 * @throws PointsOverflow when a sum of all together might leave the exact integers
 */
export function mergeTurnovers(held: readonly MemberMetrics[]): readonly Turnover[] {
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

/** What a purchase counts by itself: `spend` and `visits`; other types of activities count nothing. */
export function builtInMetrics({ type, value }: Pick<Activity, 'type' | 'value'>): { metric: string; value: number }[] {
  if (type !== 'Accrual') return [];
  return [
    { metric: 'spend', value },
    { metric: 'visits', value: 1 },
  ];
}
