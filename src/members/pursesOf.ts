import type { ObjectId } from 'bson';
import { derivedId } from '../db/derivedId';
import type { Purse } from '../points/purse';
import type { PursePolicy } from '../programs/pursePolicy';

/**
 * The purses of a member: those it has, and a purse at zero for every policy of its program that was made after it.
 * Name, primary and overdraft limit are the policy's present ones.
 */
export function pursesOf(
  member: { _id: ObjectId; purses: readonly Purse[] },
  policies: readonly PursePolicy[],
  now: Date,
): Purse[] {
  const held = new Map(member.purses.map((purse) => [purse.policyId.toHexString(), purse]));
  const current = policies.map((policy) => {
    const { name, primary, overdraftLimit } = policy;
    const purse = held.get(policy._id.toHexString());
    held.delete(policy._id.toHexString());
    return purse ? { ...purse, name, primary, overdraftLimit } : zeroPurse(member._id, policy, now);
  });
  return [...current, ...held.values()];
}

function zeroPurse(memberId: ObjectId, policy: PursePolicy, now: Date): Purse {
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
