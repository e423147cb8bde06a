import assert from 'node:assert';
import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { type LocalDay, localDay } from '#base/calendar/localCalendar';
import { periodKey } from '#base/calendar/periods';
import { dayMs } from '#base/common/durations';
import { sumDates } from '#engine/tiers/sumDates';
import { type AggregateRequest, loadAggregateValues } from '#members/aggregates/loadAggregateValues';
import type { ProgramCatalog } from '#programs/programs/programCatalog';
import { builtInMetricNames } from '#records/aggregates/metricNames';
import { type RunningTotal, runningTotal } from '#records/aggregates/runningTotals';
import type { Member } from '#records/members/member';
import type { TierPolicy } from '#records/programs/tierPolicy';

/** The members whose tiers are computed, and the time of the computation. */
export interface TierScope {
  org: ObjectId;
  members: readonly Member[];
  catalog: ProgramCatalog;
  now: Date;
  /**
   * Hexadecimal ids of members with a cancellation. For these also the periods in which levels were reached are loaded.
   */
  cancelling?: ReadonlySet<string>;
  /** Dates of activities. Their periods are loaded when late activities count for levels. */
  dates?: readonly Date[];
}

/**
 * Returns the sums that tiers of these members depend on, by hexadecimal member id. These are the running totals of the
 * member, and sums read from the aggregates where a running total is missing. Reads are rare, because a member stores
 * each running total that was loaded.
 */
export async function loadTierSums(db: Connection, scope: TierScope): Promise<Map<string, readonly RunningTotal[]>> {
  const sums = new Map(scope.members.map((member) => [hexOf(member), [...(member.keptSums ?? [])]]));
  const missing = scope.members.flatMap((member) => missingSums(member, scope));
  const values = await readSums(db, scope, missing);
  for (const [index, { of, metric, period, day }] of missing.entries()) {
    sums.get(hexOf(of))?.push({ metric, period, key: periodKey(period, day), value: values[index] ?? 0 });
  }
  return sums;
}

/** A sum for which a member has no running total yet. */
interface MissingSum extends Omit<AggregateRequest, 'member'> {
  of: Member;
}

function missingSums(member: Member, scope: TierScope): MissingSum[] {
  const missing = new Map<string, MissingSum>();
  for (const policy of scope.catalog.tierPoliciesOf(member.program)) {
    const { basis } = policy;
    if (!basis || basis.period === 'lifetime') continue;
    const { metric, period } = basis;
    for (const day of tierDays(member, policy, scope)) {
      if (runningTotal(member.keptSums ?? [], basis, day) !== undefined) continue;
      missing.set(`${metric}|${period}|${periodKey(period, day)}`, { of: member, metric, period, day });
    }
  }
  return [...missing.values()];
}

/**
 * Reads the values of sums, in the order given. After a merge the aggregates are moved later, so those of merged
 * members are added.
 */
async function readSums(db: Connection, scope: TierScope, missing: readonly MissingSum[]): Promise<number[]> {
  if (missing.length === 0) return [];
  const requests = missing.map((sum) => {
    const { of, ...request } = sum;
    return isSurelyZero(sum, scope) ? [] : [of._id, ...of.mergeIds].map((member) => ({ ...request, member }));
  });
  const sums = requests.flat();
  const versions = new Map(scope.members.map((member) => [hexOf(member), member.version]));
  const values = await loadAggregateValues(db, scope.org, sums, versions);
  let read = 0;
  return requests.map(({ length }) => {
    read += length;
    return values.slice(read - length, read).reduce((sum, value) => sum + value, 0);
  });
}

function tierDays(member: Member, policy: TierPolicy, scope: TierScope): LocalDay[] {
  const timezone = memberTimezone(member, scope);
  const { now, cancelling, dates } = scope;
  const found = sumDates(member, policy, { timezone, now, dates, isCancelling: cancelling?.has(hexOf(member)) });
  return found.map(memberCalendar(member, scope));
}

/** Makes a function that finds the day of a date in the time zone of the member's program. */
function memberCalendar(member: Member, scope: TierScope): (date: Date) => LocalDay {
  const timezone = memberTimezone(member, scope);
  return (date) => localDay(date, timezone);
}

function memberTimezone(member: Member, { catalog }: Pick<TierScope, 'catalog'>): string {
  const program = catalog.programOf(member.program);
  assert(program, 'a program with tier policies is there');
  return program.timezone;
}

/** The most that the date of an activity may be in the future. */
const aheadMaxMs = dayMs;

/**
 * Tells whether the lifetime aggregates of a member show that nothing was counted in the current period. This saves
 * most reads at the start of a period. The answer is false for a member with merged members, because the lifetime
 * aggregates may not show all of their sums.
 */
function isSurelyZero({ of, metric, period, day }: MissingSum, scope: TierScope): boolean {
  const { aggregates, mergeIds } = of;
  const { now } = scope;
  const dayOf = memberCalendar(of, scope);
  const present = periodKey(period, dayOf(now));
  if (mergeIds.length > 0 || periodKey(period, day) !== present) return false;
  const own = aggregates.filter(({ metricName }) => metricName === metric);
  if (own.length === 0) return builtInMetricNames.some((name) => name === metric.split(':')[0]);
  return own.every(({ lastAggDate }) => {
    const latest = new Date(lastAggDate.getTime() + aheadMaxMs);
    return latest < now && periodKey(period, dayOf(latest)) !== present;
  });
}

function hexOf({ _id }: Member): string {
  return _id.toHexString();
}
