import { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { choosable, findCoupon, type NamedRecords } from '#activities/state/batchContext';
import type { PipelineRequest } from '#activities/state/pipelineRequest';
import { isActivity } from '#engine/points/ledger/expiry';
import { expiresInactive } from '#engine/points/ledger/purses';
import { findSurvivor, loadLiveLots } from '#members/memberState/readMember';
import { type ActivityHistory, noEffects } from '#records/activities/activityHistory';
import type { Member } from '#records/members/member';
import type { Lot } from '#records/points/lot';
import type { BatchScope } from './batchScope';

/**
 * The accrual items of the members whose existing items may change, by hexadecimal member id. Such a member has
 * something due, an activity that can burn points or extend an expiry, or a cancellation. Other members have no entry.
 */
export function loadLots(db: Connection, scope: BatchScope): Promise<Map<string, Lot[]>> {
  const survivors = new Map(
    scope.members.flatMap(({ _id, mergedInto, mergeIds }) =>
      mergedInto ? [] : mergeIds.map((merged) => [merged.toHexString(), _id] as const),
    ),
  );
  return loadLiveLots(db, scope.org, membersWithLots(scope), { also: lotsOfOriginals(scope), survivors });
}

function membersWithLots(scope: BatchScope): ObjectId[] {
  const { members, requests, originals, now, named, memberOf, rulesOf } = scope;
  const needed = new Map<string, ObjectId>();
  const need = (id: ObjectId) => needed.set(id.toHexString(), id);
  for (const { _id, nextDue } of members) if (nextDue && nextDue <= now) need(_id);
  for (const request of requests) {
    const member = memberOf(request);
    const { type } = request.activity;
    const spends = member && (rulesOf(request)?.actionNeeds.items || redeems(named, request));
    const moves = isActivity(type) && member?.purses.some(expiresInactive);
    if (member && (request.cancel || spends || moves)) need(member._id);
  }
  // A cancellation also reverses awards to other members, possibly from their other lots.
  if (originals.length > 0) for (const { _id } of lotHolders(scope)) need(_id);
  return [...needed.values()];
}

/** Members whose points or debt the originals of cancellations changed. For a merged member it is the survivor. */
function lotHolders({ members, originals }: BatchScope): Member[] {
  const byId = new Map(members.map((member) => [member._id.toHexString(), member]));
  const ids = new Set(originals.flatMap(pointEffects).map(({ member }) => member.toHexString()));
  return [...ids].flatMap((id) => {
    const holder = findSurvivor(
      id,
      (each) => byId.get(each),
      (doc) => doc,
    );
    return holder ?? [];
  });
}

function pointEffects({ effects }: ActivityHistory) {
  const { accrued, burned, debts } = effects ?? noEffects;
  return [...accrued, ...burned, ...debts];
}

/** True when the activity names a reward that costs points. */
function redeems(named: NamedRecords, { activity }: PipelineRequest): boolean {
  const coupons = [activity, ...activity.lineItems].map((item) => findCoupon(named, item));
  return [...coupons, ...choosable(named, activity)].some(
    (coupon) => coupon?.kind === 'reward' && coupon.record.cost !== undefined,
  );
}

/**
 * Filters for the items that cancellations return, spent items included. When an original burned points or made debt,
 * they also select items that repaid debt in those purses: the debt may be the original's, or a charge for an award
 * whose burned points are restored now.
 */
function lotsOfOriginals(scope: BatchScope): Record<string, unknown>[] {
  const all = scope.originals.map(({ effects }) => effects ?? noEffects);
  const ids = all.flatMap(({ accrued, burned }) => [...accrued, ...burned]).map(({ lot }) => lot);
  const purses = all.flatMap(({ burned, debts }) => [...burned, ...debts]).map(({ purse }) => purse.toHexString());
  const owners = purses.length > 0 ? lotHolders(scope).flatMap(({ _id, mergeIds }) => [_id, ...mergeIds]) : [];
  const repaid = {
    member: { $in: owners },
    purse: { $in: [...new Set(purses)].map((purse) => new ObjectId(purse)) },
    repaidPoints: { $gt: 0 },
  };
  return [...(ids.length > 0 ? [{ _id: { $in: ids } }] : []), ...(owners.length > 0 ? [repaid] : [])];
}
