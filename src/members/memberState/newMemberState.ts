import type { ObjectId } from 'bson';
import { zeroPurse } from '#engine/points/ledger/purses';
import type { Member } from '#records/members/member';
import type { PursePolicy } from '#records/programs/pursePolicy';

/** The computed fields of a member before its first change. The purses are empty. */
export function newMemberState(_id: ObjectId, policies: readonly PursePolicy[], now: Date) {
  return {
    referrals: [],
    purses: policies.map((policy) => zeroPurse(_id, policy, now)),
    tiers: [],
    aggregates: [],
    mergeIds: [],
    version: 1,
    seq: 0,
    processedAccruals: 0,
  } satisfies Partial<Member>;
}
