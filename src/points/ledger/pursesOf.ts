import type { ObjectId } from 'bson';
import type { Purse } from '../../records/points/purse';
import { type PursePolicyFields, zeroPurse } from './zeroPurse';

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
  const purses = [...member.purses];
  for (const policy of policies) {
    const { name, primary, overdraftLimit } = policy;
    // Few, so that looking through them is quicker than an index by id.
    const place = purses.findIndex(({ policyId }) => policyId.equals(policy._id));
    const purse = purses[place] ?? zeroPurse(member._id, policy, zeroedAt(policy));
    purses[place < 0 ? purses.length : place] = { ...purse, name, primary, overdraftLimit };
  }
  return purses;
}
