import type { ObjectId } from 'bson';
import { eachDespiteFailures } from '#base/common/lists/eachDespiteFailures';
import { groupBy } from '#base/common/lists/groupBy';
import { collectionOf } from '#base/db/collections';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { memberResource } from '#records/members/member';
import { add, isOutage, type SweepCounts, settleMembers } from './settleMembers';

/** Most members that a sweep settles in one transaction. */
const sweepBatch = 100;

/** The instant of the sweep, and the org to sweep; without `org`, all orgs. */
export interface SweepScope {
  now: Date;
  org?: ObjectId;
}

/**
 * Settles all members with something due. It keeps no state, so two sweeps may run at once, and a new sweep continues
 * where a killed one stopped.
 * @throws the first failure, after all members that can be settled; at once when the store does not answer
 */
export async function sweepDue(
  services: Pick<Infrastructure, 'db' | 'clock' | 'ruleSets'>,
  scope: SweepScope,
): Promise<SweepCounts> {
  const counts = { members: 0, released: 0, tiers: 0, expired: 0 };
  const settle = async ({ org, ids }: DueOfOrg) => add(counts, await settleMembers(services, org, ids, scope.now));
  await eachDespiteFailures(dueByOrg(services, scope), settle, isOutage);
  return counts;
}

interface DueOfOrg {
  org: ObjectId;
  ids: ObjectId[];
}

/** The members with something due, some of an org at a time. */
async function* dueByOrg(services: Pick<Infrastructure, 'db'>, scope: SweepScope): AsyncGenerator<DueOfOrg> {
  let after: ObjectId | undefined;
  for (;;) {
    const due = await nextDue(services, scope, after);
    for (const members of groupBy(due, ({ org }) => org.toHexString()).values()) {
      for (const { org } of members.slice(0, 1)) yield { org, ids: members.map(({ _id }) => _id) };
    }
    after = due.at(-1)?._id;
    if (!after) return;
  }
}

type DueMember = { _id: ObjectId; org: ObjectId };

/**
 * The next members with something due, in the order of ids. So the sweep passes a member that could not be settled.
 */
function nextDue({ db }: Pick<Infrastructure, 'db'>, { now, org }: SweepScope, after: ObjectId | undefined) {
  return collectionOf(db, memberResource)
    .find({ nextDue: { $lte: now }, ...(org ? { org } : {}), ...(after ? { _id: { $gt: after } } : {}) })
    .project<DueMember>({ org: 1 })
    .sort({ _id: 1 })
    .limit(sweepBatch)
    .toArray();
}
