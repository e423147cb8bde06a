import type { ObjectId } from 'bson';
import { derivedId } from '../db/derivedId';
import type { Member } from '../members/member';
import { boundedSum } from './boundedSum';

type Lifetime = Member['aggregates'][number];

/** One change of a lifetime metric; `MetricEntry` fits. */
export interface LifetimeEntry {
  metric: string;
  /** Negative for what a cancellation takes back. */
  value: number;
  /** When the aggregate ends; only the first date of an aggregate counts, later ones do not move it. */
  expirationDate?: Date;
}

/**
 * Adds metric values to the lifetime aggregates a member holds. An aggregate whose `expirationDate` is reached takes
 * nothing more (the timer moves it away): its metric starts anew beside it. Never changes what it is given.
 */
export function addToLifetime(
  aggregates: readonly Lifetime[],
  entries: readonly LifetimeEntry[],
  now: Date,
  memberId: ObjectId,
): Lifetime[] {
  const result = [...aggregates];
  const places = openPlaces(result, now);
  for (const entry of entries) {
    const place = places.get(entry.metric) ?? result.length;
    places.set(entry.metric, place);
    result[place] = added(result[place], entry, now, memberId);
  }
  return result;
}

function openPlaces(aggregates: readonly Lifetime[], now: Date): Map<string, number> {
  const places = new Map<string, number>();
  for (const [place, aggregate] of aggregates.entries()) {
    if (!isExpired(aggregate, now)) places.set(aggregate.metricName, place);
  }
  return places;
}

/** Tells whether an aggregate takes nothing more. */
export function isExpired({ expirationDate }: Lifetime, now: Date): boolean {
  return expirationDate !== undefined && expirationDate.getTime() <= now.getTime();
}

function added(old: Lifetime | undefined, entry: LifetimeEntry, now: Date, memberId: ObjectId): Lifetime {
  const expirationDate = old?.expirationDate ?? entry.expirationDate;
  const isSameId = old !== undefined && old.expirationDate === expirationDate;
  return {
    _id: isSameId ? old._id : lifetimeId(memberId, entry.metric, expirationDate),
    metricName: entry.metric,
    metricAggValue: boundedSum(old?.metricAggValue ?? 0, entry.value),
    lastAggDate: now,
    ...(expirationDate === undefined ? {} : { expirationDate }),
  };
}

/** The id of a member's lifetime aggregate. The end is part of it: after one is moved away, the member's next one of that metric is another document. */
export function lifetimeId(memberId: ObjectId, metric: string, expirationDate: Date | undefined): ObjectId {
  return derivedId('lifetime', memberId, metric, expirationDate?.getTime() ?? '');
}
