import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { EffectiveActivity } from '#activities/state/effective';
import { collectionOf } from '#base/db/collections';
import { activeTypes } from '#engine/points/ledger/expiry';
import { findSurvivor } from '#members/memberState/readMember';
import { type ActivityHistory, activityHistoryResource } from '#records/activities/activityHistory';
import type { Member } from '#records/members/member';
import type { BatchScope } from './batchScope';

/**
 * How many effective activities of a member are read in addition to those that the batch cancels. The latest activity
 * nearly always gives the latest inactivity date. Only after the period of a policy was shortened, an earlier activity
 * may give it.
 */
const effectiveMax = 20;

/**
 * The latest effective Accruals and Redemptions, by hexadecimal member id. It reads them only for members with an
 * inactivity date whose points were moved by an activity that the batch cancels.
 */
export async function loadEffective(
  db: Connection,
  scope: Pick<BatchScope, 'org' | 'members' | 'originals'>,
): Promise<Map<string, EffectiveActivity[]>> {
  const cancelled = new Map<Member, number>();
  for (const member of scope.originals.flatMap((original) => touchedBy(scope, original))) {
    if (member.purses.some(({ inactiveOn }) => inactiveOn)) cancelled.set(member, (cancelled.get(member) ?? 0) + 1);
  }
  const read = [...cancelled].map(
    async ([member, count]) =>
      [member._id.toHexString(), await latestEffective(db, scope.org, member, count + effectiveMax)] as const,
  );
  return new Map(await Promise.all(read));
}

/** The members whose inactivity dates a cancellation of this activity may move; for merged members the survivors. */
function touchedBy({ members }: Pick<BatchScope, 'members'>, { memberID, effects }: ActivityHistory): Member[] {
  const byId = new Map(members.map((member) => [member._id.toHexString(), member]));
  const ids = [memberID, ...(effects?.accrued ?? []).map(({ member }) => member)].map((id) => id.toHexString());
  const found = [...new Set(ids)].flatMap(
    (id) =>
      findSurvivor(
        id,
        (each) => byId.get(each),
        (member) => member,
      ) ?? [],
  );
  return [...new Set(found)];
}

async function latestEffective(
  db: Connection,
  org: ObjectId,
  { _id, mergeIds }: Member,
  count: number,
): Promise<EffectiveActivity[]> {
  const histories = await collectionOf(db, activityHistoryResource)
    .find({ org, memberID: { $in: [_id, ...mergeIds] }, type: { $in: [...activeTypes] }, status: 'Processed' })
    .project<Pick<ActivityHistory, '_id' | 'date' | 'effects'>>({ date: 1, 'effects.inactiveOn': 1 })
    .sort({ date: -1 })
    .limit(count)
    .toArray();
  return histories.map(({ _id, date, effects }) => ({ _id, date, inactiveOn: effects?.inactiveOn }));
}
