import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { BatchContext } from '#activities/state/batchContext';
import { localDay } from '#base/calendar/localCalendar';
import { type DaySpan, daysLater, hoursBefore, isHours, type TimeWindow, windowDays } from '#base/calendar/windows';
import { groupBy, pushTo } from '#base/common/lists/groupBy';
import type { MetricSum } from '#engine/rules/language/factParams';
import { sumKey } from '#engine/sums/metricSums';
import { noWindowValues, spanKey } from '#engine/sums/windowSums';
import { type AggregateRequest, loadMetrics, type MetricValues } from '#members/aggregates/loadAggregateValues';
import type { HoursRequest, SpanRequest } from '#members/aggregates/loadWindows';
import type { VisitsRequest } from '#members/aggregates/readVisits';
import type { Activity } from '#records/activities/activity';
import type { Member } from '#records/members/member';
import type { Program } from '#records/programs/program';
import type { BatchScope } from './batchScope';

/**
 * The sums that rules of a batch may ask for: those of each activity's member, in the periods and windows of the
 * activity's date. Lifetime sums are stored in the member.
 * @throws GuardFailed when other commits keep changing the members while their sums are read
 */
export async function loadMetricSums(
  db: Connection,
  scope: BatchScope,
): Promise<Pick<BatchContext, 'sums' | 'windows'>> {
  const requested = new SumRequests();
  for (const request of scope.requests) {
    const [member, rules] = [scope.memberOf(request), scope.rulesOf(request)];
    if (!member || !rules || (rules.needs.aggregates.length === 0 && !rules.needs.lastVisit)) continue;
    const program = scope.catalog.programOf(member.program);
    if (!program) continue;
    if (rules.needs.lastVisit) requested.addVisits(member, request.activity.date, countCancels(scope));
    for (const need of rules.needs.aggregates) requested.add(need, { member, program, date: request.activity.date });
  }
  if (requested.isEmpty()) return { sums: new Map(), windows: noWindowValues };
  return requested.answer(await loadMetrics(db, scope.org, requested.requests, requested.versions));
}

/** A member with its program and the date of its activity. */
interface DatedMember {
  member: Member;
  program: Program;
  date: Activity['date'];
}

/** Collects what to read. The values of merged members are added to those of the survivor, until a job moves them. */
class SumRequests {
  readonly requests = {
    sums: [] as AggregateRequest[],
    spans: [] as SpanRequest[],
    hours: [] as HoursRequest[],
    visits: [] as VisitsRequest[],
  };
  /** Versions of the members, by hexadecimal id. */
  readonly versions = new Map<string, number>();
  /** For each requested sum, the key of the sum that it is a part of. */
  private readonly keys: string[] = [];
  private readonly seen = new Set<string>();
  /** Survivors by the hexadecimal id of a merged member. */
  private readonly survivors = new Map<string, ObjectId>();

  isEmpty(): boolean {
    return Object.values(this.requests).every(({ length }) => length === 0);
  }

  add({ metric, period }: MetricSum, { member, program, date }: DatedMember): void {
    if (period === 'lifetime') return;
    this.versions.set(member._id.toHexString(), member.version);
    for (const id of [member._id, ...member.mergeIds]) {
      this.survivors.set(id.toHexString(), member._id);
      if (typeof period === 'string') {
        const day = localDay(date, program.timezone);
        const request = { member: id, metric, period, day };
        if (!this.isNew(sumKey(request))) continue;
        this.requests.sums.push(request);
        this.keys.push(sumKey({ ...request, member: member._id }));
      } else if (isHours(period)) {
        this.requests.hours.push({ member: id, metric, after: hoursBefore(period.last, date), until: date });
      } else {
        const span = spanToRead(period, { member, program, date });
        if (span && this.isNew(`${spanKey({ member: id, metric })}|${span.first.getTime()}|${span.last.getTime()}`)) {
          this.requests.spans.push({ member: id, metric, ...span });
        }
      }
    }
  }

  /** Adds the latest visits of a member up to a date; `cancels` of them may be cancelled in this batch. */
  addVisits({ _id, mergeIds, version }: Member, until: Date, cancels: number): void {
    if (!this.isNew(`visits ${_id.toHexString()} ${until.getTime()}`)) return;
    this.versions.set(_id.toHexString(), version);
    this.requests.visits.push({ members: [_id, ...mergeIds], until, count: 1 + cancels });
  }

  answer({ sums, days, timed, visits }: MetricValues): Pick<BatchContext, 'sums' | 'windows'> {
    const totals = new Map<string, number>();
    for (const [n, key] of this.keys.entries()) totals.set(key, (totals.get(key) ?? 0) + (sums[n] ?? 0));
    const dates = new Map<string, Date[]>();
    // Requests of one member for different dates may find the same visit.
    for (const { member, date } of new Map(visits.map((visit) => [visit._id.toHexString(), visit])).values()) {
      pushTo(dates, member.toHexString(), date);
    }
    return { sums: totals, windows: { days: this.byMetric(days), timed: this.byMetric(timed), visits: dates } };
  }

  private isNew(key: string): boolean {
    if (this.seen.has(key)) return false;
    this.seen.add(key);
    return true;
  }

  private byMetric<T extends { member: ObjectId; metric: string }>(values: readonly T[]): Map<string, T[]> {
    return groupBy(values, ({ member, metric }) =>
      spanKey({ member: this.survivors.get(member.toHexString()) ?? member, metric }),
    );
  }
}

function countCancels({ requests }: BatchScope): number {
  return requests.filter(({ cancel }) => cancel).length;
}

const yearDays = 366;

/**
 * The days that a window may include. For the year of a tier these are all days of the years around the activity,
 * because the member's level may still change before the activity is decided.
 */
function spanToRead(
  window: Exclude<TimeWindow, { unit: 'hour' }>,
  { member, program, date }: DatedMember,
): DaySpan | undefined {
  if ('year' in window && window.year !== 'enrolment') {
    const day = localDay(date, program.timezone);
    return { first: daysLater(day, -yearDays), last: daysLater(day, yearDays) };
  }
  const { enrolledAt } = member;
  return windowDays(window, { date, timezone: program.timezone, enrolledAt, tierSince: () => undefined });
}
