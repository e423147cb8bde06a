import type { ObjectId } from 'bson';
import { derivedId } from '../../db/derivedId';
import type { Purse } from '../../records/points/purse';

/** What a purse takes from its policy. */
export interface PursePolicyFields {
  _id: ObjectId;
  name: string;
  program: ObjectId;
  primary: boolean;
  overdraftLimit: number;
}

/** A member's purse under a policy before anything happened to it. */
export function zeroPurse(memberId: ObjectId, policy: PursePolicyFields, now: Date): Purse {
  return {
    _id: derivedId('purse', memberId, policy._id),
    name: policy.name,
    program: policy.program,
    policyId: policy._id,
    primary: policy.primary,
    balance: 0,
    availBalance: 0,
    escrowsIn: 0,
    expiredPoints: 0,
    expiresIn: 0,
    overdraftLimit: policy.overdraftLimit,
    debt: 0,
    accruedPoints: 0,
    burnedPoints: 0,
    updatedAt: now,
  };
}
