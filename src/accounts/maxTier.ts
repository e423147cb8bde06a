import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { exists } from '../db/exists';
import { collectionOf } from '../db/resource';
import { notFound } from '../errors';
import { type Member, memberResource } from '../members/member';
import { bestTiers } from '../tiers/bestTiers';
import { tierPolicyResource } from '../tiers/tierPolicy';
import { accountResource } from './account';

/**
 * The tier with the highest level that members of an account have under a tier policy; undefined when none has one.
 * @throws ServiceError 1500 when the account or the policy is unknown
 */
export async function maxTier(
  db: Connection,
  org: ObjectId,
  { accountId, policyId }: { accountId: ObjectId; policyId: ObjectId },
): Promise<Member['tiers'][number] | undefined> {
  const account = await collectionOf(db, accountResource).findOne({ org, _id: accountId });
  if (!account) throw notFound('Account');
  if (!(await exists(db, tierPolicyResource, org, policyId))) throw notFound('Tier policy');
  const members = await collectionOf(db, memberResource)
    .find({ org, _id: { $in: account.members.map(({ member }) => member) } })
    .project<Pick<Member, 'tiers'>>({ tiers: 1 })
    .toArray();
  const ofPolicy = members.flatMap(({ tiers }) => tiers.filter((tier) => policyId.equals(String(tier.policyId))));
  return bestTiers(ofPolicy)[0];
}
