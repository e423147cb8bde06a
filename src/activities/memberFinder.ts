import type { Member } from '../members/member';
import type { Activity } from './activity';

/** Finds the member that an activity names, by memberID, else by loyaltyID, among those given. */
export function memberFinder(members: readonly Member[]) {
  const byId = new Map(members.map((member) => [member._id.toHexString(), member]));
  const byLoyaltyId = new Map(members.flatMap((member) => member.loyaltyIDs.map((id) => [id, member] as const)));
  return ({ memberID, loyaltyID }: Pick<Activity, 'memberID' | 'loyaltyID'>): Member | undefined => {
    if (memberID) return byId.get(memberID.toHexString());
    return loyaltyID === undefined ? undefined : byLoyaltyId.get(loyaltyID);
  };
}
