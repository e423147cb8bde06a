import type { ObjectId } from 'bson';
import type { Backing } from '../backing/backing';
import { notFound } from '../common/errors';
import { collectionOf } from '../db/collections';
import { settledMember } from '../memberState/settledMember';
import { accountResource } from '../records/members/account';
import type { MemberTier } from '../records/members/memberTier';
import { tierPolicyResource } from '../records/programs/tierPolicy';

/**
 * The tier of the member of an account that has the highest level of a tier policy, tiers that are due looked at first;
 * null when none has any. Of several with the same level, the first member's.
 * @throws ServiceError 1500 when the account or the policy is unknown
 */
export async function maxTier(
  services: Backing,
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
