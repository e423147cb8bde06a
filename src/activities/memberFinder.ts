import type { Member } from '../members/member';
import type { BatchScope } from './batchScope';
import type { Work } from './work';

/**
 * Finds the member that a work is about among those of the batch: of a cancellation the member of its target, else the
 * one that the activity names, by memberID, else by loyaltyID.
 */
export function memberFinder({ members, targets }: Pick<BatchScope, 'members' | 'targets'>) {
  const byId = new Map(members.map((member) => [member._id.toHexString(), member]));
  const byLoyaltyId = new Map(members.flatMap((member) => member.loyaltyIDs.map((id) => [id, member] as const)));
  const byTarget = new Map(targets.map(({ _id, memberID }) => [_id.toHexString(), byId.get(memberID.toHexString())]));
  return ({ activity: { memberID, loyaltyID }, cancel }: Work): Member | undefined => {
    if (cancel) return byTarget.get(cancel.targetId.toHexString());
    if (memberID) return byId.get(memberID.toHexString());
    return loyaltyID === undefined ? undefined : byLoyaltyId.get(loyaltyID);
  };
}
