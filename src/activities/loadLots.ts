import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { isActivity } from '../points/inactivity';
import { loadLiveLots } from '../points/loadLiveLots';
import type { Lot } from '../points/lot';
import { expiresInactive } from '../points/nextDues';
import type { BatchScope } from './batchScope';
import { couponOf, type NamedRecords } from './namedRecords';
import { survivorOf } from './survivors';
import type { Work } from './work';

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
    const spends = member && (rulesOf(work)?.burns || redeems(named, work));
    const moves = isActivity(type) && member?.purses.some(expiresInactive);
    if (member && (work.cancel || spends || moves)) need(member._id);
  }
  // What others got by it goes back too, and may have to be taken from their other lots.
  if (targets.length > 0) for (const id of holdersOf(scope)) need(id);
  return [...needed.values()];
}

/** Members whose items targets of cancellations awarded or burned; of merged ones the survivors. */
function holdersOf({ members, targets }: BatchScope): ObjectId[] {
  const byId = new Map(members.map((member) => [member._id.toHexString(), member]));
  const ids = targets.flatMap(({ effects }) => [...(effects?.accrued ?? []), ...(effects?.burned ?? [])]);
  return ids.flatMap(({ member }) => {
    const holder = survivorOf(
      member.toHexString(),
      (id) => byId.get(id),
      (doc) => doc,
    );
    return holder ? [holder._id] : [];
  });
}

/** A code of a reward that costs points. */
function redeems(named: NamedRecords, { activity }: Work): boolean {
  return [activity, ...activity.lineItems].some((item) => {
    const coupon = couponOf(named, item);
    return coupon?.kind === 'reward' && coupon.record.cost !== undefined;
  });
}

/** Items that cancellations give back, spent ones too, and those that repaid a debt which a target made. */
function lotsOfTargets({ works, targets, memberOf }: BatchScope): Record<string, unknown>[] {
  const ids = targets.flatMap(({ effects }) => [...(effects?.accrued ?? []), ...(effects?.burned ?? [])]);
  const hasDebts = targets.some(({ effects }) => (effects?.debts.length ?? 0) > 0);
  const debtors = hasDebts ? works.flatMap((work) => (work.cancel ? (memberOf(work) ?? []) : [])) : [];
  const indebted = debtors.flatMap(({ _id, mergeIds }) => [_id, ...mergeIds]);
  return [
    ...(ids.length > 0 ? [{ _id: { $in: ids.map(({ lot }) => lot) } }] : []),
    ...(indebted.length > 0 ? [{ member: { $in: indebted }, repaidPoints: { $gt: 0 } }] : []),
  ];
}
