import type { MemberState } from '../../memberState/memberState';
import type { ActivityHistory } from '../../records/activities/activityHistory';
import type { CounterOwner } from '../../rules/format/limits';

/** Members whose limits an activity may have counted in: its own first, then those that are one with it by a merge. */
export function counterOwners(
  { memberID }: Pick<ActivityHistory, 'memberID'>,
  { doc, program }: Pick<MemberState, 'doc' | 'program'>,
): CounterOwner[] {
  return [memberID, doc._id, ...doc.mergeIds].map((memberId) => ({ memberId, program }));
}
