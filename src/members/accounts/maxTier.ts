import type { ObjectId } from 'bson';
import { notFound } from '#base/common/errors';
import { collectionOf } from '#base/db/collections';
import { settledMember } from '#members/memberState/settledMember';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { accountResource } from '#records/members/account';
import type { MemberTier } from '#records/members/memberTier';
import { tierPolicyResource } from '#records/programs/tierPolicy';

/**
 * Finds the highest tier that members of an account have under a tier policy. The members are settled first. When
 * several members have the same level, the first member's tier is returned.
 * @returns null when no member has a tier under the policy
 * @throws ServiceError 1500 when the account or the policy is unknown
 */
export async function maxTier(
  services: Infrastructure,
  org: ObjectId,
  { accountId, policyId }: { accountId: ObjectId; policyId: ObjectId },
  now: Date,
): Promise<MemberTier | null> {
  const account = await collectionOf(services.db, accountResource).findOne({ org, _id: accountId });
  if (!account) throw notFound('Account');
  const policy = await collectionOf(services.db, tierPolicyResource).findOne({ org, _id: policyId });
  if (!policy) throw notFound('Tier policy');
  const inProgram = account.members.filter(({ program }) => program.equals(policy.program));
  const members = await Promise.all(inProgram.map(({ member }) => settledMember(services, org, member, now)));
  const tiers: MemberTier[] = members.flatMap((member) =>
    member.tiers.filter((tier) => tier.policyId.equals(policyId)),
  );
  return tiers.reduce<MemberTier | null>(
    (best, tier) => (best && best.level.number >= tier.level.number ? best : tier),
    null,
  );
}
