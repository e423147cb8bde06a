import { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { dayOn, type LocalDay } from '#base/calendar/localCalendar';
import {
  calendarFields,
  findPeriod,
  type Period,
  type PeriodUnit,
  periodKey,
  periodNamed,
} from '#base/calendar/periods';
import { collectionOf } from '#base/db/collections';
import { inSnapshot, type SnapshotOptions } from '#base/db/inSnapshot';
import { distinctIds } from '#base/db/records';
import { GuardFailed } from '#base/db/transaction';
import { aggregateCollection, aggregateId } from '#records/aggregates/aggregate';
import {
  type MemberDay,
  type MetricEntry,
  metricEntries,
  metricEventsResource,
} from '#records/aggregates/metricEvents';
import { memberResource } from '#records/members/member';
import {
  type DayValue,
  type HoursRequest,
  readDays,
  readHours,
  type SpanRequest,
  type TimedValue,
} from './loadWindows';
import { readVisits, type Visit, type VisitsRequest } from './readVisits';

/** The requested sum: a member's metric in one period. The period is given by its kind and by a day in it. */
export interface AggregateRequest {
  member: ObjectId;
  metric: string;
  /** Lifetime sums are stored in the member: see `lifetimeValue`. */
  period: Exclude<PeriodUnit, 'lifetime'>;
  day: LocalDay;
}

/** Attempts to reach a snapshot with the members' versions, and the pause between two attempts. */
const limits = { attemptsMax: 40, pauseMs: 5 } as const;

/**
 * Reads the exact sums of metrics in periods, in the order of the requests. A sum consists of the rolled-up aggregate,
 * of days that are not yet added to larger periods, and of commits that are not yet in any day. All are read from one
 * snapshot.
 * @param versions versions of members that were read before, by hexadecimal id. The snapshot is not older than these
 *   versions. The caller's commit fails if a member has a newer version by then
 * @throws GuardFailed when no such snapshot can be read; the caller should read everything again
 */
export async function loadAggregateValues(
  db: Connection,
  org: ObjectId,
  requests: readonly AggregateRequest[],
  versions: ReadonlyMap<string, number> = new Map(),
): Promise<number[]> {
  const { sums } = await loadMetrics(db, org, { sums: requests, spans: [], hours: [], visits: [] }, versions);
  return sums;
}

/** What to read of metrics: sums of periods, days of spans, and values of hours. */
export interface MetricRequests {
  sums: readonly AggregateRequest[];
  spans: readonly SpanRequest[];
  hours: readonly HoursRequest[];
  visits: readonly VisitsRequest[];
}

/** The values read: one sum for each request, and the values from which sums of spans and hours are added up. */
export interface MetricValues {
  sums: number[];
  days: readonly DayValue[];
  timed: readonly TimedValue[];
  visits: readonly Visit[];
}

/**
 * Reads sums, days and hours of metrics from one snapshot. See {@link loadAggregateValues}. Parts that are not
 * requested cost no query.
 */
export async function loadMetrics(
  db: Connection,
  org: ObjectId,
  requests: MetricRequests,
  versions: ReadonlyMap<string, number>,
): Promise<MetricValues> {
  if (Object.values(requests).every(({ length }) => length === 0)) return { sums: [], days: [], timed: [], visits: [] };
  for (let attempt = 1; attempt <= limits.attemptsMax; attempt += 1) {
    const values = await inSnapshot(db, async (at) =>
      (await hasVersions(db, at, org, versions)) ? readValues(db, at, org, requests) : undefined,
    );
    if (values) return values;
    await new Promise((resolve) => setTimeout(resolve, limits.pauseMs));
  }
  throw new GuardFailed('Members are newer than the sums that can be read of them');
}

/**
 * Tells whether a snapshot has at least these versions of members. It has only data that a majority stores, so an
 * earlier read without a snapshot may have seen a newer commit.
 */
async function hasVersions(db: Connection, at: SnapshotOptions, org: ObjectId, versions: ReadonlyMap<string, number>) {
  if (versions.size === 0) return true;
  const found = await collectionOf(db, memberResource)
    .find({ _id: { $in: [...versions.keys()].map((id) => new ObjectId(id)) }, org }, at)
    .project<{ _id: ObjectId; version: number }>({ version: 1 })
    .toArray();
  const seen = new Map(found.map(({ _id, version }) => [_id.toHexString(), version]));
  return [...versions].every(([id, version]) => (seen.get(id) ?? 0) >= version);
}

async function readValues(
  db: Connection,
  at: SnapshotOptions,
  org: ObjectId,
  { sums: requests, spans, hours, visits: wanted }: MetricRequests,
): Promise<MetricValues> {
  const sumRequests = [...requests, ...spans];
  const scope: ReadScope = {
    org,
    members: distinctIds(sumRequests.map(({ member }) => member)),
    metrics: [...new Set(sumRequests.map(({ metric }) => metric))],
  };
  // The reads follow one another, because a session runs one operation at a time.
  const stored = await readStored(db, at, org, requests);
  const dirty = requests.length > 0 ? await readDirtyDays(db, at, scope) : [];
  const events = sumRequests.length > 0 ? await readEvents(db, at, scope) : [];
  const days = await readDays(db, at, org, spans);
  const timed = await readHours(db, at, org, hours);
  const visits = await readVisits(db, at, org, wanted);
  const added = sumWaiting([...dirty, ...events], new Set(requests.map(({ period }) => period)));
  const sums = requests.map((request) => {
    const period = findPeriod(request.period);
    const id = requestedAggregateId(period, org, request).toHexString();
    const key = aggregateKey(request, request.period, request.day);
    return (stored.get(id) ?? 0) + (added.get(key) ?? 0);
  });
  return { sums, days: [...days, ...events], timed, visits };
}

function requestedAggregateId(period: Period, org: ObjectId, { member, metric, day }: AggregateRequest): ObjectId {
  return aggregateId(period, org, member, metric, calendarFields(day));
}

async function readStored(
  db: Connection,
  at: SnapshotOptions,
  org: ObjectId,
  requests: readonly AggregateRequest[],
): Promise<Map<string, number>> {
  const stored = new Map<string, number>();
  for (const unit of new Set(requests.map(({ period }) => period))) {
    const period = findPeriod(unit);
    const ids = requests
      .filter((request) => request.period === unit)
      .map((request) => requestedAggregateId(period, org, request));
    const found = aggregateCollection(db, period)
      .find({ _id: { $in: ids }, org }, at)
      .project<{ _id: ObjectId; metricAggValue: number }>({ metricAggValue: 1 });
    for await (const { _id, metricAggValue } of found) stored.set(_id.toHexString(), metricAggValue);
  }
  return stored;
}

/** A change of a metric that some aggregates do not include yet. */
interface PendingChange extends MetricEntry {
  /** True when its daily aggregate includes it, but no larger period does. */
  isInDay: boolean;
}

interface ReadScope {
  org: ObjectId;
  members: readonly ObjectId[];
  metrics: readonly string[];
}

async function readDirtyDays(
  db: Connection,
  at: SnapshotOptions,
  { org, members, metrics }: ReadScope,
): Promise<PendingChange[]> {
  const days = await aggregateCollection(db, periodNamed('daily'))
    .find({ org, memberId: { $in: [...members] }, metricName: { $in: [...metrics] }, dirty: true }, at)
    .toArray();
  return days.map(({ memberId, metricName, metricAggValue, propagatedValue = 0, year = 0, month = 1, day = 1 }) => ({
    member: memberId,
    metric: metricName,
    day: dayOn(year, month, day),
    value: metricAggValue - propagatedValue,
    isInDay: true,
  }));
}

async function readEvents(
  db: Connection,
  at: SnapshotOptions,
  { org, members, metrics }: ReadScope,
): Promise<PendingChange[]> {
  const isRequested = { $in: ['$$each.member', members] };
  const days = await collectionOf(db, metricEventsResource)
    .aggregate<MemberDay>(
      [
        { $match: { org, 'entries.member': { $in: members } } },
        { $project: { entries: { $filter: { input: '$entries', as: 'each', cond: isRequested } } } },
        { $unwind: '$entries' },
        { $replaceRoot: { newRoot: '$entries' } },
      ],
      at,
    )
    .toArray();
  const wanted = new Set(metrics);
  return metricEntries(days)
    .filter(({ metric }) => wanted.has(metric))
    .map((entry) => ({ ...entry, isInDay: false }));
}

function sumWaiting(
  waiting: readonly PendingChange[],
  units: ReadonlySet<AggregateRequest['period']>,
): Map<string, number> {
  const sums = new Map<string, number>();
  for (const change of waiting) {
    for (const unit of units) {
      if (unit === 'day' && change.isInDay) continue;
      const key = aggregateKey(change, unit, change.day);
      sums.set(key, (sums.get(key) ?? 0) + change.value);
    }
  }
  return sums;
}

function aggregateKey(
  { member, metric }: Pick<MetricEntry, 'member' | 'metric'>,
  unit: PeriodUnit,
  day: LocalDay,
): string {
  return `${member.toHexString()}|${unit}|${periodKey(unit, day)}|${metric}`;
}
