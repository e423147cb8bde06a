import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { loadLiveLots } from '../points/loadLiveLots';
import type { Lot } from '../points/lot';
import type { BatchScope } from './batchScope';
import { memberFinder } from './memberFinder';

/**
 * The accrual items of the members whose works may touch existing ones, by hexadecimal member id: members with
 * something due, with an activity that can burn, or with a cancellation. Other members need none and have no entry.
 */
export function loadLots(db: Connection, scope: BatchScope): Promise<Map<string, Lot[]>> {
  const survivors = new Map(
    scope.members.flatMap(({ _id, mergedInto, mergeIds }) =>
      mergedInto ? [] : mergeIds.map((merged) => [merged.toHexString(), _id] as const),
    ),
  );
  return loadLiveLots(db, scope.org, membersWithLots(scope), { also: lotsOfTargets(scope), survivors });
}

function membersWithLots({ members, works, targets, ruleSet, now }: BatchScope): ObjectId[] {
  const needed = new Map<string, ObjectId>();
  const need = (id: ObjectId) => needed.set(id.toHexString(), id);
  for (const { _id, nextDue } of members) if (nextDue && nextDue <= now) need(_id);
  const find = memberFinder({ members, targets });
  for (const work of works) {
    const member = find(work);
    if (member && (work.cancel || ruleSet?.burns(member.program, work.activity.type))) need(member._id);
  }
  return [...needed.values()];
}

/** Items that cancellations give back, spent ones too, and those that repaid a debt which a target made. */
function lotsOfTargets({ members, works, targets }: BatchScope): Record<string, unknown>[] {
  const ids = targets.flatMap(({ effects }) => [...(effects?.accrued ?? []), ...(effects?.burned ?? [])]);
  const find = memberFinder({ members, targets });
  const hasDebts = targets.some(({ effects }) => (effects?.debts.length ?? 0) > 0);
  const debtors = hasDebts ? works.flatMap((work) => (work.cancel ? (find(work) ?? []) : [])) : [];
  const indebted = debtors.flatMap(({ _id, mergeIds }) => [_id, ...mergeIds]);
  return [
    ...(ids.length > 0 ? [{ _id: { $in: ids.map(({ lot }) => lot) } }] : []),
    ...(indebted.length > 0 ? [{ member: { $in: indebted }, repaidPoints: { $gt: 0 } }] : []),
  ];
}
