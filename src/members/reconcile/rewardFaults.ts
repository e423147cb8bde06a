import type { ObjectId } from 'bson';
import type { IssuedReward } from '#records/offers/issuedReward';
import type { MemberRecords } from './memberRecords';

/** Finds issued rewards whose status is not what the activities that issued and used them say. */
export function rewardFaults(records: MemberRecords): string[] {
  if (records.member.mergedInto) return [];
  return records.issued.flatMap((reward) => {
    const { _id, status, activity, usedBy } = reward;
    const name = `issued reward ${_id}`;
    return [
      ...(status === 'Used' && !usedBy ? [`${name} is used, but no activity used it`] : []),
      ...(status !== 'Used' && usedBy ? [`${name} is ${status}, but activity ${usedBy} used it`] : []),
      ...namedFaults(name, 'used', usedBy, reward, records),
      ...namedFaults(name, 'issued', activity, reward, records),
    ];
  });
}

function namedFaults(
  name: string,
  did: 'issued' | 'used',
  activity: ObjectId | undefined,
  { _id }: IssuedReward,
  { historyById, deletedBefore, isArchived }: MemberRecords,
): string[] {
  if (!activity) return [];
  const history = historyById.get(activity.toHexString());
  const isGone = deletedBefore !== undefined || isArchived(activity.toHexString());
  if (!history) return isGone ? [] : [`${name} was ${did} by activity ${activity}, which has no history`];
  const isNamed = (history.effects?.rewards ?? []).some((each) => each.did === did && each.id.equals(_id));
  return isNamed ? [] : [`${name} was ${did} by activity ${activity}, whose history does not say so`];
}
