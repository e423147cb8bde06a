import type { Member } from '../../records/members/member';
import type { BatchScope } from '../state/batchScope';
import { survivorOf } from '../state/survivors';
import type { Work } from '../state/work';

/**
 * Finds the member that a work is about among those of the batch: of a cancellation the member of its target, else the
 * one that the activity names, by memberID, else by loyaltyID. Of a merged one it is the survivor.
 */
export function memberFinder({ members, targets }: Pick<BatchScope, 'members' | 'targets'>) {
  const byId = new Map(members.map((member) => [member._id.toHexString(), member]));
  const byLoyaltyId = new Map(members.flatMap((member) => member.loyaltyIDs.map((id) => [id, member] as const)));
  const byTarget = new Map(targets.map(({ _id, memberID }) => [_id.toHexString(), memberID]));
  const named = ({ activity: { memberID, loyaltyID = '' }, cancel }: Work) =>
    cancel ? byTarget.get(cancel.targetId.toHexString()) : (memberID ?? byLoyaltyId.get(loyaltyID)?._id);
  return (work: Work): Member | undefined =>
    survivorOf(
      named(work)?.toHexString(),
      (id) => byId.get(id),
      (member) => member,
    );
}
