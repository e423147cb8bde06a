import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { pushTo } from '#base/common/lists/groupBy';
import { collectionOf } from '#base/db/collections';
import type { SnapshotOptions } from '#base/db/inSnapshot';
import { distinctIds } from '#base/db/records';
import { type ActivityHistory, activityHistoryResource, type StoredEffects } from '#records/activities/activityHistory';

type Effect<K extends keyof StoredEffects> = NonNullable<StoredEffects[K]>[number];

/** What checks compare of a history. */
export interface HistoryFigures extends Pick<ActivityHistory, '_id' | 'memberID' | 'date' | 'type' | 'status'> {
  effects?: {
    accrued?: Pick<Effect<'accrued'>, 'member' | 'points' | 'moved'>[];
    burned?: Pick<Effect<'burned'>, 'member' | 'points' | 'movedTo'>[];
    debts?: Pick<Effect<'debts'>, 'member' | 'points'>[];
    metrics?: Effect<'metrics'>[];
    rewards?: Effect<'rewards'>[];
  };
  ruleCounts?: Pick<NonNullable<ActivityHistory['ruleCounts']>, 'metrics'>;
  /** True for a cancellation of an earlier version, which did not store what its own rules counted. */
  isUncounted: boolean;
}

/** A cancellation whose rules may have counted something that its history does not say. */
export const uncounted = {
  $and: [
    { $eq: ['$type', 'Cancellation'] },
    { $gt: [{ $size: { $ifNull: ['$ruleMatch', []] } }, 0] },
    { $eq: [{ $type: '$ruleCounts' }, 'missing'] },
  ],
};

const projection = {
  ...Object.fromEntries(['memberID', 'date', 'type', 'status', 'ruleCounts.metrics'].map((field) => [field, 1])),
  ...Object.fromEntries(['member', 'points', 'moved'].map((field) => [`effects.accrued.${field}`, 1])),
  ...Object.fromEntries(['member', 'points', 'movedTo'].map((field) => [`effects.burned.${field}`, 1])),
  ...Object.fromEntries(['member', 'points'].map((field) => [`effects.debts.${field}`, 1])),
  'effects.metrics': 1,
  'effects.rewards': 1,
  isUncounted: uncounted,
};

/** The histories that checks of some members compare. */
interface Histories {
  /** The histories of one member with those merged into it, and those of others that changed their points or metrics. */
  of(ids: readonly ObjectId[]): HistoryFigures[];
  /** All of them, by hexadecimal id. */
  byId: ReadonlyMap<string, HistoryFigures>;
}

/** Reads the histories of members, those of others that changed their metrics, and those with the ids in `named`. */
export async function readHistories(
  db: Connection,
  at: SnapshotOptions,
  org: ObjectId,
  { members, named }: { members: readonly ObjectId[]; named: readonly ObjectId[] },
): Promise<Histories> {
  const find = (filter: object) =>
    collectionOf(db, activityHistoryResource)
      .find({ org, ...filter }, at)
      .project<HistoryFigures>(projection)
      .toArray();
  const own = await find({ memberID: { $in: [...members] } });
  const counted = await find({ 'effects.metrics.member': { $in: [...members] } });
  const byId = new Map([...own, ...counted].map((history) => [history._id.toHexString(), history]));
  const left = named.filter((id) => !byId.has(id.toHexString()));
  const others = left.length > 0 ? await find({ _id: { $in: distinctIds(left) } }) : [];
  for (const history of others) byId.set(history._id.toHexString(), history);
  const byMember = new Map<string, HistoryFigures[]>();
  for (const history of byId.values()) for (const id of namedMembers(history)) pushTo(byMember, id, history);
  return { of: (ids) => [...new Set(ids.flatMap((id) => byMember.get(id.toHexString()) ?? []))], byId };
}

/** The members whose points or metrics an activity changed, and its own. */
function namedMembers({
  memberID,
  effects: { accrued = [], burned = [], debts = [], metrics = [] } = {},
}: HistoryFigures) {
  const changed = [...accrued, ...burned, ...debts, ...metrics].flatMap(({ member }) => member ?? []);
  return new Set([memberID, ...changed].map((id) => id.toHexString()));
}
