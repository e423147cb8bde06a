import { localDay } from '#base/calendar/localCalendar';
import { lifetimeValue } from '#engine/sums/lifetime';
import { runningTotal } from '#records/aggregates/runningTotals';
import type { Member } from '#records/members/member';
import type { TierPolicy } from '#records/programs/tierPolicy';
import { topStep } from './claims';
import { isSetByRule } from './ladder';
import { keyAt, type LadderInput, levelAt } from './levels';

/** A member with the tier policies of its program. */
export interface TieredMember {
  member: Pick<Member, 'ladders' | 'tiers' | 'keptSums' | 'aggregates' | 'mergeIds'>;
  policies: readonly TierPolicy[];
  /** IANA time zone of the program. */
  timezone: string;
  /** When an activity last awarded or burned points of the member. Its tiers were computed then. */
  lookedAt: Date | undefined;
  /** When these records were read. */
  now: Date;
}

/** This long after a change of a policy, every process uses the changed policy. */
const changeKnownMs = 300_000;

/**
 * Finds levels that a member does not have although its running total reached them when its tiers were last computed.
 * Cases that may be correct are left out: a level that a rule set, a policy that changed since then, metrics that still
 * follow a merge, and metrics whose amounts have ended since then.
 */
export function tierFaults({ member, policies, timezone, lookedAt, now }: TieredMember): string[] {
  if (!lookedAt || (member.mergeIds ?? []).length > 0) return [];
  return policies.flatMap((policy) => {
    const isNew = policy.updatedAt.getTime() + changeKnownMs > lookedAt.getTime();
    const value = isNew ? undefined : basisSum(member, policy, { lookedAt, now, timezone });
    if (value === undefined) return [];
    const input: LadderInput = { policy, timezone, now: lookedAt };
    const reached = levelAt(input, value);
    const ladder = member.ladders?.find(({ policyId }) => policyId.equals(policy._id));
    const top = ladder && topStep(ladder);
    if (!reached || (top && (isSetByRule(top) || top.level.number >= reached.number))) return [];
    const levelText = top ? `is ${top.level.name}` : 'has no level';
    const period = keyAt(lookedAt, input);
    return [`${levelText} in ${policy.name}, but ${value} in ${period} reaches ${reached.name}`];
  });
}

function basisSum(
  { keptSums = [], aggregates }: TieredMember['member'],
  { basis }: TierPolicy,
  { lookedAt, now, timezone }: { lookedAt: Date; now: Date; timezone: string },
): number | undefined {
  // Points also expire at times when no tiers are computed.
  if (!basis || basis.metric.startsWith('pointsExpired')) return undefined;
  // Part of the lifetime value may have ended, and the level with it, before the sum is moved away.
  const by = now > lookedAt ? now : lookedAt;
  if (basis.period === 'lifetime') return lifetimeValue(aggregates, basis.metric, by);
  return runningTotal(keptSums, basis, localDay(lookedAt, timezone));
}
