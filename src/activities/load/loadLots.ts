import { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { loadLiveLots } from '../../memberState/loadLiveLots';
import { isActivity } from '../../points/ledger/inactivity';
import { expiresInactive } from '../../points/ledger/nextDues';
import { type ActivityHistory, noEffects } from '../../records/activities/activityHistory';
import type { Member } from '../../records/members/member';
import type { Lot } from '../../records/points/lot';
import type { BatchScope } from '../state/batchScope';
import { couponOf, type NamedRecords } from '../state/namedRecords';
import { survivorOf } from '../state/survivors';
import type { Work } from '../state/work';

/**
 * The accrual items of the members whose works may touch existing ones, by hexadecimal member id: members with
 * something due, with an activity that can burn or that moves the date of some, or with a cancellation. Other members
 * need none and have no entry.
 */
export function loadLots(db: Connection, scope: BatchScope): Promise<Map<string, Lot[]>> {
  const survivors = new Map(
    scope.members.flatMap(({ _id, mergedInto, mergeIds }) =>
      mergedInto ? [] : mergeIds.map((merged) => [merged.toHexString(), _id] as const),
    ),
  );
  return loadLiveLots(db, scope.org, membersWithLots(scope), { also: lotsOfTargets(scope), survivors });
}

function membersWithLots(scope: BatchScope): ObjectId[] {
  const { members, works, targets, now, named, memberOf, rulesOf } = scope;
  const needed = new Map<string, ObjectId>();
  const need = (id: ObjectId) => needed.set(id.toHexString(), id);
  for (const { _id, nextDue } of members) if (nextDue && nextDue <= now) need(_id);
  for (const work of works) {
    const member = memberOf(work);
    const { type } = work.activity;
    const spends = member && (rulesOf(work)?.actionNeeds.items || redeems(named, work));
    const moves = isActivity(type) && member?.purses.some(expiresInactive);
    if (member && (work.cancel || spends || moves)) need(member._id);
  }
  // What others got by it goes back too, and may have to be taken from their other lots.
  if (targets.length > 0) for (const { _id } of holdersOf(scope)) need(_id);
  return [...needed.values()];
}

/** Members whose items targets of cancellations awarded or burned, or who came into debt by them; of merged ones the survivors. */
function holdersOf({ members, targets }: BatchScope): Member[] {
  const byId = new Map(members.map((member) => [member._id.toHexString(), member]));
  const ids = new Set(targets.flatMap(effectsOf).map(({ member }) => member.toHexString()));
  return [...ids].flatMap((id) => {
    const holder = survivorOf(
      id,
      (each) => byId.get(each),
      (doc) => doc,
    );
    return holder ?? [];
  });
}

function effectsOf({ effects }: ActivityHistory) {
  const { accrued, burned, debts } = effects ?? noEffects;
  return [...accrued, ...burned, ...debts];
}

/** A code of a reward that costs points. */
function redeems(named: NamedRecords, { activity }: Work): boolean {
  return [activity, ...activity.lineItems].some((item) => {
    const coupon = couponOf(named, item);
    return coupon?.kind === 'reward' && coupon.record.cost !== undefined;
  });
}

/**
 * Items that cancellations give back, spent ones too. Where they burned points or made debt, also those that repaid debt:
 * it may have been the target's, or what was charged for an award whose points come back.
 */
function lotsOfTargets(scope: BatchScope): Record<string, unknown>[] {
  const all = scope.targets.map(({ effects }) => effects ?? noEffects);
  const ids = all.flatMap(({ accrued, burned }) => [...accrued, ...burned]).map(({ lot }) => lot);
  const purses = all.flatMap(({ burned, debts }) => [...burned, ...debts]).map(({ purse }) => purse.toHexString());
  const owners = purses.length > 0 ? holdersOf(scope).flatMap(({ _id, mergeIds }) => [_id, ...mergeIds]) : [];
  const repaid = {
    member: { $in: owners },
    purse: { $in: [...new Set(purses)].map((purse) => new ObjectId(purse)) },
    repaidPoints: { $gt: 0 },
  };
  return [...(ids.length > 0 ? [{ _id: { $in: ids } }] : []), ...(owners.length > 0 ? [repaid] : [])];
}
