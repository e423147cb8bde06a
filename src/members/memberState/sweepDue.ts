import type { ObjectId } from 'bson';
import { eachDespiteFailures } from '#base/common/lists/eachDespiteFailures';
import { collectionOf } from '#base/db/collections';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { memberResource } from '#records/members/member';
import { add, isOutage, type SweepCounts, settleMembers } from './settleMembers';

/** Most members that a sweep settles in one transaction. */
const sweepBatch = 100;

/** The instant of the sweep, and the org to sweep. */
export interface SweepScope {
  now: Date;
  org: ObjectId;
}

/**
 * Settles all members of an org with something due. It keeps no state, so two sweeps may run at once, and a new sweep
 * continues where a killed one stopped.
 * @throws the first failure, after all members that can be settled; at once when the store does not answer
 */
export async function sweepDue(
  services: Pick<Infrastructure, 'db' | 'clock' | 'ruleSets'>,
  scope: SweepScope,
): Promise<SweepCounts> {
  const counts = { members: 0, released: 0, tiers: 0, expired: 0 };
  const settle = async (ids: ObjectId[]) => add(counts, await settleMembers(services, scope.org, ids, scope.now));
  await eachDespiteFailures(dueMembers(services, scope), settle, isOutage);
  return counts;
}

/** The members with something due, some at a time. */
async function* dueMembers(services: Pick<Infrastructure, 'db'>, scope: SweepScope): AsyncGenerator<ObjectId[]> {
  for (let after: ObjectId | undefined; ; ) {
    const due = await nextDue(services, scope, after);
    after = due.at(-1)?._id;
    if (!after) return;
    yield due.map(({ _id }) => _id);
  }
}

/**
 * The next members with something due, in the order of ids. So the sweep passes a member that could not be settled.
 */
function nextDue({ db }: Pick<Infrastructure, 'db'>, { now, org }: SweepScope, after: ObjectId | undefined) {
  return collectionOf(db, memberResource)
    .find({ org, nextDue: { $lte: now }, ...(after ? { _id: { $gt: after } } : {}) })
    .project<{ _id: ObjectId }>({ _id: 1 })
    .sort({ _id: 1 })
    .limit(sweepBatch)
    .toArray();
}
