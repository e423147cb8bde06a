import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '../../db/collections';
import type { ActivityHistory } from '../../records/activities/activityHistory';
import { type Member, memberResource } from '../../records/members/member';
import { receiverOf } from '../../rules/actions/transferPoints';
import type { FactRef } from '../../rules/language/factRef';
import { resolvePath } from '../../rules/language/resolvePath';
import type { BatchScope } from '../state/batchScope';
import type { Work } from '../state/work';

/** Members beside those that works name: whom effects to give back are of, and whom rules may award or send points. */
export async function loadRelated(db: Connection, scope: Omit<BatchScope, 'named'>): Promise<Member[]> {
  const { org, members, works } = scope;
  const ids: ObjectId[] = scope.targets.flatMap(membersOf);
  const loyaltyIDs: string[] = [];
  for (const work of works) {
    const [member, rules] = [scope.memberOf(work), scope.rulesOf(work)];
    if (!member || !rules) continue;
    const { refers, receivers } = rules.actionNeeds;
    if (refers && member.referredBy) ids.push(member.referredBy);
    loyaltyIDs.push(...receivers.map((receiver) => receiverOf(receiver, (ref) => partOf(work, ref))));
  }
  if (ids.length + loyaltyIDs.length === 0) return [];
  const known = new Set(members.map(({ _id }) => _id.toHexString()));
  const missing = ids.filter((id) => !known.has(id.toHexString()));
  const named = loyaltyIDs.filter((id) => id !== '');
  if (missing.length + named.length === 0) return [];
  const found = await collectionOf(db, memberResource)
    .find({ org, $or: [{ _id: { $in: missing } }, { loyaltyIDs: { $in: named } }] })
    .toArray();
  return found.filter(({ _id }) => !known.has(_id.toHexString()));
}

/** Everybody whose points, metrics or referral an activity changed. */
function membersOf({ effects }: ActivityHistory): ObjectId[] {
  if (!effects) return [];
  const { accrued, burned, debts, metrics, referrals = [] } = effects;
  return [
    ...[...accrued, ...burned, ...debts].map(({ member }) => member),
    ...metrics.flatMap(({ member }) => member ?? []),
    ...referrals.map(({ referrer }) => referrer),
  ];
}

/** Ids inside an activity are ObjectIds here, but a loyalty id is a text. */
function partOf({ activity }: Work, { path }: FactRef): unknown {
  return path === undefined ? undefined : resolvePath(activity, path);
}
