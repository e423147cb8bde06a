import type { Member } from '#records/members/member';
import type { Ladder } from '#records/members/memberTier';
import type { TierPolicy } from '#records/programs/tierPolicy';
import { judgedDates } from './lapseInTime';
import { isLate } from './lateClaim';
import { followsPeriods, reachedOn, reachedPeriods } from './reachedPeriods';

interface SumDatesInput {
  timezone: string;
  now: Date;
  /** Dates of activities, whose periods count when late activities count for levels. */
  dates?: readonly Date[] | undefined;
  /** With a cancellation, the periods in which levels were reached count as well. */
  isCancelling?: boolean | undefined;
}

/** A date in each period whose sum the ladder of a policy may need. */
export function sumDates(
  { ladders = [], enrolledAt }: Pick<Member, 'ladders' | 'enrolledAt'>,
  policy: TierPolicy,
  { timezone, now, dates = [], isCancelling = false }: SumDatesInput,
): Date[] {
  const own = ladders.filter(({ policyId }) => policyId.equals(policy._id));
  const input = { policy, timezone, now, enrolledAt };
  // A cancellation may leave a lower level, whose own terms went on meanwhile.
  const ends = own.flatMap(({ steps, due }) => [
    ...(isCancelling ? steps : steps.slice(-1)).map(({ expiresOn }) => expiresOn),
    due,
  ]);
  const reached = isCancelling ? own.flatMap((ladder) => reachedDates(ladder, policy)) : [];
  return [
    now,
    ...ends.flatMap((end) => (end && end <= now ? judgedDates(end, input) : [])),
    ...reached,
    ...(policy.lateClaims === 'counted' ? dates.filter((date) => isLate(date, input)) : []),
  ];
}

/** Dates in the periods whose sums decide which levels a cancellation revokes. */
function reachedDates(ladder: Ladder, policy: TierPolicy): Date[] {
  if (followsPeriods(policy)) return reachedPeriods(ladder).map(({ at }) => at);
  return ladder.steps.filter(({ isFirm }) => !isFirm).flatMap(reachedOn);
}
