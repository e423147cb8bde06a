import { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '../db/resource';
import { counterKeys } from '../rules/limits';
import type { BatchScope } from './batchScope';
import { limitCounterResource } from './limitCounter';
import { memberFinder } from './memberFinder';

/** What the limits and budgets that a batch may touch have used so far, by hexadecimal counter id; 0 is left out. */
export async function loadUsage(db: Connection, scope: BatchScope): Promise<Map<string, number>> {
  const ids = counterIds(scope);
  if (ids.length === 0) return new Map();
  const counters = await collectionOf(db, limitCounterResource)
    .find({ _id: { $in: ids }, org: scope.org })
    .toArray();
  return new Map(counters.map(({ _id, used }) => [_id.toHexString(), used]));
}

function counterIds(scope: BatchScope): ObjectId[] {
  const find = memberFinder(scope);
  const ids = new Set(
    scope.targets.flatMap(({ effects }) => effects?.counters.map(({ id }) => id.toHexString()) ?? []),
  );
  for (const work of scope.works) {
    const { activity } = work;
    const member = find(work);
    const program = member && scope.catalog.programOf(member.program);
    if (!program || !scope.ruleSet?.limited(program._id, activity.type)) continue;
    for (const rule of scope.ruleSet.forActivity(program._id, activity.type).rules) {
      for (const { id } of counterKeys(rule, activity, { memberId: member._id, program })) ids.add(id.toHexString());
    }
  }
  return [...ids].map((id) => new ObjectId(id));
}
