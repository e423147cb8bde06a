import type { ObjectId } from 'bson';
import { notFound } from '#base/common/errors';
import { collectionOf } from '#base/db/collections';
import { settledMember } from '#members/memberState/settledMember';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { accountResource } from '#records/members/account';
import { pursePolicyResource } from '#records/programs/pursePolicy';

/**
 * Sums the available points of the members of an account under a purse policy. The members are settled first. The sum
 * is negative when the members are in debt.
 * @throws ServiceError 1500 when the account or the policy is unknown
 */
export async function totalPoints(
  services: Infrastructure,
  org: ObjectId,
  { accountId, policyId }: { accountId: ObjectId; policyId: ObjectId },
  now: Date,
): Promise<number> {
  const account = await collectionOf(services.db, accountResource).findOne({ org, _id: accountId });
  if (!account) throw notFound('Account');
  const policy = await collectionOf(services.db, pursePolicyResource).findOne({ org, _id: policyId });
  if (!policy) throw notFound('Purse policy');
  const inProgram = account.members.filter(({ program }) => program.equals(policy.program));
  const members = await Promise.all(inProgram.map(({ member }) => settledMember(services, org, member, now)));
  return members
    .flatMap(({ purses }) => purses.filter((purse) => purse.policyId.equals(policyId)))
    .reduce((sum, { availBalance }) => sum + availBalance, 0);
}
