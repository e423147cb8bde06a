import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { dayOn, type LocalDay } from '#base/calendar/localCalendar';
import { periodNamed } from '#base/calendar/periods';
import type { DaySpan } from '#base/calendar/windows';
import { collectionOf } from '#base/db/collections';
import type { SnapshotOptions } from '#base/db/inSnapshot';
import { distinctIds } from '#base/db/records';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { aggregateCollection } from '#records/aggregates/aggregate';

/** The requested days of a metric of a member. */
export interface SpanRequest extends DaySpan {
  member: ObjectId;
  metric: string;
}

/** The requested hours of a metric of a member: after `after`, until `until`, which counts too. */
export interface HoursRequest {
  member: ObjectId;
  metric: string;
  after: Date;
  until: Date;
}

/** What a metric of a member counted on one day. */
export interface DayValue {
  member: ObjectId;
  metric: string;
  day: LocalDay;
  value: number;
}

/** What an activity added to a metric of a member. */
export interface TimedValue {
  member: ObjectId;
  metric: string;
  at: Date;
  value: number;
}

/**
 * Reads the daily aggregates of spans, of all members in one query. It also returns some days before and after a span,
 * because requests for different days share a range.
 */
export async function readDays(
  db: Connection,
  at: SnapshotOptions,
  org: ObjectId,
  spans: readonly SpanRequest[],
): Promise<DayValue[]> {
  if (spans.length === 0) return [];
  const found = await aggregateCollection(db, periodNamed('daily'))
    .find({ $or: monthRanges(org, spans) }, at)
    .project<{
      memberId: ObjectId;
      metricName: string;
      metricAggValue: number;
      year: number;
      month: number;
      day: number;
    }>({
      memberId: 1,
      metricName: 1,
      metricAggValue: 1,
      year: 1,
      month: 1,
      day: 1,
    })
    .toArray();
  return found.map(({ memberId, metricName, metricAggValue, year, month, day }) => ({
    member: memberId,
    metric: metricName,
    day: dayOn(year, month, day),
    value: metricAggValue,
  }));
}

/** Months of one year, or whole years. */
interface MonthRange {
  years: readonly [first: number, last: number];
  months: readonly [first: number, last: number];
}

/** The ranges of months, each with the members and metrics that need it. The index of the days has the same order. */
function monthRanges(org: ObjectId, spans: readonly SpanRequest[]) {
  const ranges = new Map<string, MonthRange & { spans: SpanRequest[] }>();
  for (const span of spans) {
    for (const range of spannedMonths(span)) {
      const key = [...range.years, ...range.months].join(' ');
      const known = ranges.get(key);
      if (known) known.spans.push(span);
      else ranges.set(key, { ...range, spans: [span] });
    }
  }
  return [...ranges.values()].map(({ years: [first, last], months: [from, to], spans: some }) => ({
    org,
    memberId: { $in: distinctIds(some.map(({ member }) => member)) },
    metricName: { $in: [...new Set(some.map(({ metric }) => metric))] },
    year: first === last ? first : { $gte: first, $lte: last },
    month: { $gte: from, $lte: to },
  }));
}

/** The months of a span: of its first year, of the years between, and of its last year. */
function spannedMonths({ first, last }: DaySpan): MonthRange[] {
  const [firstYear, lastYear] = [first.getUTCFullYear(), last.getUTCFullYear()];
  const [from, to] = [first.getUTCMonth() + 1, last.getUTCMonth() + 1];
  if (firstYear > lastYear) return [];
  if (firstYear === lastYear) return [{ years: [firstYear, firstYear], months: [from, to] }];
  const between: MonthRange = { years: [firstYear + 1, lastYear - 1], months: [1, 12] };
  return [
    { years: [firstYear, firstYear], months: [from, 12] },
    ...(lastYear - firstYear > 1 ? [between] : []),
    { years: [lastYear, lastYear], months: [1, to] },
  ];
}

/**
 * Reads from the histories what activities added to metrics in some hours, for all members in one query. Values that
 * were returned since are subtracted. When requests are for different hours, the result has values of the hours between
 * them too.
 */
export async function readHours(
  db: Connection,
  at: SnapshotOptions,
  org: ObjectId,
  hours: readonly HoursRequest[],
): Promise<TimedValue[]> {
  if (hours.length === 0) return [];
  const members = distinctIds(hours.map(({ member }) => member));
  const after = new Date(Math.min(...hours.map((each) => each.after.getTime())));
  const until = new Date(Math.max(...hours.map((each) => each.until.getTime())));
  const [date, ids] = [{ $gt: after, $lte: until }, { $in: members }];
  const found = await collectionOf(db, activityHistoryResource)
    .find(
      {
        $or: [
          { org, memberID: ids, date },
          { org, 'effects.metrics.member': ids, date },
        ],
      },
      at,
    )
    .project<{ memberID: ObjectId; date: Date; effects?: { metrics: StoredMetric[] } }>({
      memberID: 1,
      date: 1,
      'effects.metrics': 1,
    })
    .toArray();
  return found.flatMap(({ memberID, date: counted, effects }) =>
    (effects?.metrics ?? []).map(({ metric, value, returned = 0, member = memberID }) => ({
      member,
      metric,
      at: counted,
      value: value - returned,
    })),
  );
}

interface StoredMetric {
  metric: string;
  value: number;
  returned?: number;
  member?: ObjectId;
}
