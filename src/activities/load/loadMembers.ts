import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { PipelineRequest } from '#activities/state/pipelineRequest';
import { collectionOf } from '#base/db/collections';
import { byForm, madeForms, soughtForms } from '#base/schema/findable';
import { transferReceiver } from '#engine/rules/actions/transferPoints';
import type { FactRef } from '#engine/rules/language/factRef';
import { resolvePath } from '#engine/rules/language/path';
import { findSurvivor, withSurvivors } from '#members/memberState/readMember';
import type { ActivityHistory } from '#records/activities/activityHistory';
import { type Member, memberResource } from '#records/members/member';
import type { BatchScope } from './batchScope';

/** The members that activities name, by id or loyalty id. */
export async function loadNamedMembers(
  db: Connection,
  org: ObjectId,
  requests: readonly PipelineRequest[],
): Promise<Member[]> {
  const ids = requests.flatMap(({ activity }) =>
    [activity.memberID, activity.originalMemberID].filter((id) => id !== undefined),
  );
  const loyaltyIDs = requests.flatMap(({ activity }) => (activity.loyaltyID === undefined ? [] : [activity.loyaltyID]));
  const [byId, byLoyaltyId] = await Promise.all([
    ids.length === 0 ? [] : findMembers(db, { _id: { $in: ids }, org }),
    loyaltyIDs.length === 0 ? [] : findMembers(db, { org, loyaltyIDs: { $in: loyaltyIDs.flatMap(soughtForms) } }),
  ]);
  return [...byId, ...byLoyaltyId];
}

/** The members whose referral codes activities name. */
export async function loadReferrers(
  db: Connection,
  org: ObjectId,
  requests: readonly PipelineRequest[],
): Promise<Member[]> {
  const codes = requests.flatMap(({ activity }) =>
    activity.referralCode === undefined ? [] : [activity.referralCode],
  );
  return codes.length === 0 ? [] : findMembers(db, { org, referralCode: { $in: codes.flatMap(madeForms) } });
}

/** The loaded members and those of the histories, each once, with the survivors of all merged ones. */
export async function withHistoryMembers(
  db: Connection,
  org: ObjectId,
  histories: readonly ActivityHistory[],
  loaded: readonly Member[],
): Promise<Member[]> {
  const known = new Map(loaded.map((member) => [member._id.toHexString(), member]));
  const missing = histories.map(({ memberID }) => memberID).filter((id) => !known.has(id.toHexString()));
  const others = missing.length === 0 ? [] : await findMembers(db, { _id: { $in: missing }, org });
  return withSurvivors(db, org, [...known.values(), ...others]);
}

/**
 * The members of a batch and the other members that its requests may change: those with effects to return, and those
 * that rules may award or transfer points to.
 */
export async function withRelated(db: Connection, scope: Omit<BatchScope, 'named'>): Promise<readonly Member[]> {
  const { org, members, requests } = scope;
  const ids: ObjectId[] = scope.originals.flatMap(affectedMembers);
  const loyaltyIDs: string[] = [];
  for (const request of requests) {
    const [member, rules] = [scope.memberOf(request), scope.rulesOf(request)];
    if (!member || !rules) continue;
    const { refers, pools, receivers } = rules.actionNeeds;
    if (refers && member.referredBy) ids.push(member.referredBy);
    if (pools && member.familyHead) ids.push(member.familyHead);
    loyaltyIDs.push(...receivers.map((receiver) => transferReceiver(receiver, (ref) => activityPart(request, ref))));
  }
  if (ids.length + loyaltyIDs.length === 0) return members;
  const known = new Set(members.map(({ _id }) => _id.toHexString()));
  const missing = ids.filter((id) => !known.has(id.toHexString()));
  const named = loyaltyIDs.filter((id) => id !== '');
  if (missing.length + named.length === 0) return members;
  const found = await findMembers(db, {
    org,
    $or: [{ _id: { $in: missing } }, { loyaltyIDs: { $in: named.flatMap(soughtForms) } }],
  });
  const related = found.filter(({ _id }) => !known.has(_id.toHexString()));
  return related.length === 0 ? members : withSurvivors(db, org, [...members, ...related]);
}

/** Ids of all members whose points, metrics or referral an activity changed. */
function affectedMembers({ effects }: ActivityHistory): ObjectId[] {
  if (!effects) return [];
  const { accrued, burned, debts, metrics, referrals = [] } = effects;
  return [
    ...[...accrued, ...burned, ...debts].map(({ member }) => member),
    ...metrics.flatMap(({ member }) => member ?? []),
    ...referrals.map(({ referrer }) => referrer),
  ];
}

/** The value of the activity that a fact reference names; the rule reads the receiver's loyalty id from it. */
function activityPart({ activity }: PipelineRequest, { path }: FactRef): unknown {
  return path === undefined ? undefined : resolvePath(activity, path);
}

function findMembers(db: Connection, condition: Record<string, unknown>): Promise<Member[]> {
  return collectionOf(db, memberResource).find(condition).toArray();
}

/**
 * Makes a function that finds the member of a request among the members of the batch. The member of a cancellation is
 * that of the original. Any other activity names its member by memberID or loyaltyID. A merged member is replaced by
 * its survivor.
 */
export function memberFinder({ members, originals }: Pick<BatchScope, 'members' | 'originals'>) {
  const byId = new Map(members.map((member) => [member._id.toHexString(), member]));
  const byLoyaltyId = byForm(members.flatMap((member) => member.loyaltyIDs.map((id) => [id, member] as const)));
  const byOriginal = new Map(originals.map(({ _id, memberID }) => [_id.toHexString(), memberID]));
  const named = ({ activity: { memberID, loyaltyID = '' }, cancel }: PipelineRequest) =>
    cancel ? byOriginal.get(cancel.originalId.toHexString()) : (memberID ?? byLoyaltyId.get(loyaltyID)?._id);
  return (request: PipelineRequest): Member | undefined =>
    findSurvivor(
      named(request)?.toHexString(),
      (id) => byId.get(id),
      (member) => member,
    );
}
