import type { ObjectId } from 'bson';
import { derivedId } from '../../db/derivedId';
import type { Member } from '../../records/members/member';

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
export function returnEnd(aggregates: readonly Lifetime[], metric: string, now: Date): Date | undefined {
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
