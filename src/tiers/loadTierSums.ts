import assert from 'node:assert';
import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { type AggregateRequest, loadAggregateValues } from '../aggregates/loadAggregateValues';
import { type LocalDay, localDay } from '../calendar/localCalendar';
import { periodKey } from '../calendar/periods';
import type { ProgramCatalog } from '../programs/programCatalog';
import { type KeptSum, keptSum } from '../records/aggregates/keptSums';
import type { Member } from '../records/members/member';
import { builtInMetricNames } from '../rules/language/metricNames';

/** Whose tiers are worked out, and when. */
export interface TierScope {
  org: ObjectId;
  members: readonly Member[];
  catalog: ProgramCatalog;
  now: Date;
  /** Members of whom something is cancelled, in hexadecimal: of them also the periods in which levels were reached. */
  cancelling?: ReadonlySet<string>;
}

/**
 * The sums that the tiers of these members go by, by hexadecimal member id: those that the member keeps, and those that
 * it does not keep yet, read from the aggregates. Reads nothing in an org without tier policies, and almost nothing
 * otherwise: a member that was loaded once for a period keeps its sum.
 */
export async function loadTierSums(db: Connection, scope: TierScope): Promise<Map<string, readonly KeptSum[]>> {
  const sums = new Map(scope.members.map((member) => [hexOf(member), [...(member.keptSums ?? [])]]));
  const missing = scope.members.flatMap((member) => missingSums(member, scope));
  const values = await readSums(db, scope, missing);
  for (const [index, { of, metric, period, day }] of missing.entries()) {
    sums.get(hexOf(of))?.push({ metric, period, key: periodKey(period, day), value: values[index] ?? 0 });
  }
  return sums;
}

/** A sum that a member does not keep. */
interface Missing extends Omit<AggregateRequest, 'member'> {
  of: Member;
}

function missingSums(member: Member, scope: TierScope): Missing[] {
  const missing = new Map<string, Missing>();
  for (const { _id, basis } of scope.catalog.tierPoliciesOf(member.program)) {
    if (!basis || basis.period === 'lifetime') continue;
    const { metric, period } = basis;
    for (const day of daysOf(member, _id, scope)) {
      if (keptSum(member.keptSums ?? [], basis, day) !== undefined) continue;
      missing.set(`${metric}|${period}|${periodKey(period, day)}`, { of: member, metric, period, day });
    }
  }
  return [...missing.values()];
}

/** The values of sums in their order. Aggregates follow a merge a while later, so those of merged members are added. */
async function readSums(db: Connection, scope: TierScope, missing: readonly Missing[]): Promise<number[]> {
  if (missing.length === 0) return [];
  const requests = missing.map((sum) => {
    const { of, ...request } = sum;
    return isSurelyZero(sum, scope) ? [] : [of._id, ...of.mergeIds].map((member) => ({ ...request, member }));
  });
  const asked = requests.flat();
  const versions = new Map(scope.members.map((member) => [hexOf(member), member.version]));
  const values = await loadAggregateValues(db, scope.org, asked, versions);
  let read = 0;
  return requests.map(({ length }) => {
    read += length;
    return values.slice(read - length, read).reduce((sum, value) => sum + value, 0);
  });
}

function daysOf(member: Member, policyId: ObjectId, scope: TierScope): LocalDay[] {
  const dayOf = calendarOf(member, scope);
  return datesOf(member, policyId, scope).map(dayOf);
}

/** Finds days in the time zone of the member's program. */
function calendarOf(member: Member, { catalog }: TierScope): (date: Date) => LocalDay {
  const program = catalog.programOf(member.program);
  assert(program, 'a program with tier policies is there');
  return (date) => localDay(date, program.timezone);
}

function datesOf(member: Member, policyId: ObjectId, { now, cancelling }: TierScope): Date[] {
  if (!cancelling?.has(hexOf(member))) return [now];
  const ladder = member.ladders?.find((each) => each.policyId.equals(policyId));
  return [
    now,
    ...(ladder?.steps ?? []).flatMap(({ since, reachedAgain = since, isFirm }) =>
      isFirm ? [] : [since, reachedAgain],
    ),
  ];
}

/** An activity may be dated so much ahead. */
const aheadMaxMs = 86_400_000;

/**
 * True when the member's lifetime aggregates tell that nothing was counted in the present period: that spares most of
 * the reading when a period begins. Merged members may have brought sums that say less.
 */
function isSurelyZero({ of, metric, period, day }: Missing, scope: TierScope): boolean {
  const { aggregates, mergeIds } = of;
  const { now } = scope;
  const dayOf = calendarOf(of, scope);
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
