import type { MemberState } from '../points/memberState';
import type { CounterOwner } from '../rules/limits';
import type { ActivityHistory } from './activityHistory';

/** Members whose limits an activity may have counted in: its own first, then those that are one with it by a merge. */
export function counterOwners(
  { memberID }: Pick<ActivityHistory, 'memberID'>,
  { doc, program }: Pick<MemberState, 'doc' | 'program'>,
): CounterOwner[] {
  return [memberID, doc._id, ...doc.mergeIds].map((memberId) => ({ memberId, program }));
}
