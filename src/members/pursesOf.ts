import type { ObjectId } from 'bson';
import type { Purse } from '../points/purse';
import { type PursePolicyFields, zeroPurse } from '../points/zeroPurse';

/**
 * The purses of a member: those it has, and a purse at zero for every policy of its program that was made after it.
 * Name, primary and overdraft limit are the policy's present ones.
 * @param zeroedAt when a purse at zero was last changed
 */
export function pursesOf<P extends PursePolicyFields>(
  member: { _id: ObjectId; purses: readonly Purse[] },
  policies: readonly P[],
  zeroedAt: (policy: P) => Date,
): Purse[] {
  const held = new Map(member.purses.map((purse) => [purse.policyId.toHexString(), purse]));
  for (const policy of policies) {
    const key = policy._id.toHexString();
    const { name, primary, overdraftLimit } = policy;
    const purse = held.get(key) ?? zeroPurse(member._id, policy, zeroedAt(policy));
    held.set(key, { ...purse, name, primary, overdraftLimit });
  }
  return [...held.values()];
}
