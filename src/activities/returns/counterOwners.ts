import { pastSubjects } from '#activities/past/pastSubjects';
import type { CounterOwner } from '#engine/rules/format/limits';
import type { MemberState } from '#members/memberState/memberState';
import type { ActivityHistory } from '#records/activities/activityHistory';

/**
 * The members whose limit counters the activity may have used: the member in its history first, then the survivor and
 * the members merged into it.
 */
export function counterOwners(
  { memberID, ...history }: Pick<ActivityHistory, 'memberID' | 'account' | 'coupon' | 'couponCode' | 'lineItems'>,
  { doc, program }: Pick<MemberState, 'doc' | 'program'>,
): CounterOwner[] {
  const { enrolledAt } = doc;
  const subjects = pastSubjects(history);
  return [memberID, doc._id, ...doc.mergeIds].map((memberId) => ({ memberId, program, enrolledAt, ...subjects }));
}
