import { lifetimeValue } from '../../aggregates/sums/lifetime';
import { localDay } from '../../calendar/localCalendar';
import { keptSum } from '../../records/aggregates/keptSums';
import type { Member } from '../../records/members/member';
import type { TierPolicy } from '../../records/programs/tierPolicy';
import { isSetByRule, keyAt, type LadderInput, levelAt, topOf } from './ladder';

/** A member with the tier policies of its program. */
export interface TieredMember {
  member: Pick<Member, 'ladders' | 'tiers' | 'keptSums' | 'aggregates' | 'mergeIds'>;
  policies: readonly TierPolicy[];
  /** IANA time zone of the program. */
  timezone: string;
  /** When an activity last awarded or burned points of the member: then its tiers were looked at. */
  lookedAt: Date | undefined;
  /** When all of this was read. */
  now: Date;
}

/** So much later than a policy was changed everybody goes by the change. */
const changeKnownMs = 300_000;

/**
 * Levels that a member must have, since the sum that it keeps for the period in which it was last looked at reaches them.
 * Left out is what may rightly be so: a level that a rule set, a policy that was changed since, metrics that follow
 * a merge, or that have ended since.
 */
export function tierFaults({ member, policies, timezone, lookedAt, now }: TieredMember): string[] {
  if (!lookedAt || (member.mergeIds ?? []).length > 0) return [];
  return policies.flatMap((policy) => {
    const isNew = policy.updatedAt.getTime() + changeKnownMs > lookedAt.getTime();
    const value = isNew ? undefined : sumOf(member, policy, { lookedAt, now, timezone });
    if (value === undefined) return [];
    const input: LadderInput = { policy, timezone, now: lookedAt };
    const reached = levelAt(input, value);
    const ladder = member.ladders?.find(({ policyId }) => policyId.equals(policy._id));
    const top = ladder && topOf(ladder);
    if (!reached || (top && (isSetByRule(top) || top.level.number >= reached.number))) return [];
    const held = top ? `is ${top.level.name}` : 'has no level';
    const period = keyAt(lookedAt, input);
    return [`${held} in ${policy.name}, but ${value} in ${period} reaches ${reached.name}`];
  });
}

function sumOf(
  { keptSums = [], aggregates }: TieredMember['member'],
  { basis }: TierPolicy,
  { lookedAt, now, timezone }: { lookedAt: Date; now: Date; timezone: string },
): number | undefined {
  // Points also expire without anybody looking at tiers.
  if (!basis || basis.metric.startsWith('pointsExpired')) return undefined;
  // Of what it holds some may have ended, and the level with it, before it is moved away.
  const by = now > lookedAt ? now : lookedAt;
  if (basis.period === 'lifetime') return lifetimeValue(aggregates, basis.metric, by);
  return keptSum(keptSums, basis, localDay(lookedAt, timezone));
}
