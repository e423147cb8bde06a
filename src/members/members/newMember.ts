import { ObjectId } from 'bson';
import { randomCode } from '#base/common/randomCode';
import { type Author, newStamps } from '#base/db/records';
import { newMemberState } from '#members/memberState/newMemberState';
import { memberKeys } from '#records/members/find/memberKeys';
import type { Member } from '#records/members/member';
import { updateSegmentDates } from '#records/members/segmentDates';
import type { PursePolicy } from '#records/programs/pursePolicy';
import type { NewMember } from './memberBody';

/** Makes the record of a new member, with an empty purse for every purse policy and codes that the service chooses. */
export function newMember(
  author: Author,
  body: NewMember,
  policies: readonly PursePolicy[],
  now: Date,
  _id: ObjectId = new ObjectId(),
): Member {
  const loyaltyID = body.loyaltyID ?? randomCode(4);
  const { segments = [] } = body;
  const joined = updateSegmentDates(segments, { before: [], segmentDates: [] }, now);
  // Own fields come before copies (decision 16).
  return {
    status: 'Active',
    type: 'Individual',
    enrolledAt: now,
    segments: [],
    ...newStamps(author, now, _id),
    ...newMemberState(_id, policies, now),
    ...(joined.length > 0 ? { segmentDates: joined } : {}),
    ...body,
    loyaltyID,
    loyaltyIDs: [loyaltyID],
    referralCode: randomCode(3),
    searchKeys: memberKeys({ ...body, loyaltyIDs: [loyaltyID] }),
  };
}
