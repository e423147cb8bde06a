import type { ObjectId } from 'bson';
import { pushTo } from '#base/common/lists/groupBy';
import { collectionOf } from '#base/db/collections';
import { readReplies } from '#base/db/readReplies';
import { type ActivityHistory, activityHistoryResource, type StoredEffects } from '#records/activities/activityHistory';
import type { RowsOf } from './memberRows';
import { repeatedKey } from './repeatedKey';

type Effect<K extends keyof StoredEffects> = NonNullable<StoredEffects[K]>[number];

/** What checks compare of a history. */
export interface HistoryFigures extends Pick<ActivityHistory, '_id' | 'memberID' | 'date' | 'type' | 'status'> {
  /** Its hexadecimal id. */
  key: string;
  effects?: {
    accrued?: Pick<Effect<'accrued'>, 'member' | 'points' | 'moved'>[];
    burned?: Pick<Effect<'burned'>, 'member' | 'points' | 'movedTo'>[];
    debts?: Pick<Effect<'debts'>, 'member' | 'points'>[];
    metrics?: Effect<'metrics'>[];
    rewards?: Effect<'rewards'>[];
  };
  ruleCounts?: Pick<NonNullable<ActivityHistory['ruleCounts']>, 'metrics'>;
  /** True for a cancellation of an earlier version, which did not store what its own rules counted. */
  isUncounted?: true;
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
};

/** Activities that other records name, by hexadecimal id. */
export type NamedActivities = ReadonlyMap<string, ObjectId>;

/** The histories that checks of some members compare. */
interface Histories {
  /** The histories of one member with those merged into it, and those of others that changed their points or metrics. */
  of(members: readonly string[]): HistoryFigures[];
  /** All of them, by hexadecimal id. */
  byId: ReadonlyMap<string, HistoryFigures>;
}

/** Reads the histories of members, those of others that changed their metrics, and those with the ids in `named`. */
export async function readHistories(of: RowsOf, named: NamedActivities): Promise<Histories> {
  const members = { $in: [...of.members] };
  const byId = new Map<string, HistoryFigures>();
  const read = async (filter: object) => {
    for (const history of await findHistories(of, filter)) {
      history.key = history._id.toHexString();
      byId.set(history.key, history);
    }
  };
  await read({ memberID: members });
  await read({ 'effects.metrics.member': members });
  const left = [...named].flatMap(([key, id]) => (byId.has(key) ? [] : [id]));
  if (left.length > 0) await read({ _id: { $in: left } });
  await markUncounted(of, byId);
  const byMember = groupByMember(byId.values());
  return { of: (keys) => [...new Set(keys.flatMap((key) => byMember.get(key) ?? []))], byId };
}

function findHistories({ db, at, org }: RowsOf, filter: object): Promise<HistoryFigures[]> {
  return readReplies<HistoryFigures>(db, at, activityHistoryResource.path, { filter: { org, ...filter }, projection });
}

/** Marks cancellations whose rules may have counted something that their history does not say. */
async function markUncounted({ db, at, org }: RowsOf, byId: ReadonlyMap<string, HistoryFigures>): Promise<void> {
  const ids = [...byId.values()].flatMap(({ _id, type, ruleCounts }) =>
    type === 'Cancellation' && !ruleCounts ? [_id] : [],
  );
  if (ids.length === 0) return;
  const found = await collectionOf(db, activityHistoryResource)
    .find({ org, _id: { $in: ids }, $expr: uncounted }, at)
    .project<{ _id: ObjectId }>({ _id: 1 })
    .toArray();
  for (const { _id } of found) Object.assign(byId.get(_id.toHexString()) ?? {}, { isUncounted: true });
}

/** Histories by the hexadecimal ids of their members, and of others whose points or metrics they changed. */
function groupByMember(histories: Iterable<HistoryFigures>): Map<string, HistoryFigures[]> {
  const byMember = new Map<string, HistoryFigures[]>();
  const keyOf = repeatedKey();
  for (const history of histories) {
    pushTo(byMember, keyOf(history.memberID), history);
    for (const other of otherMembers(history)) pushTo(byMember, other, history);
  }
  return byMember;
}

function otherMembers({ memberID, effects = {} }: HistoryFigures): Set<string> {
  const others = new Set<string>();
  const { accrued = [], burned = [], debts = [], metrics = [] } = effects;
  for (const changes of [accrued, burned, debts, metrics]) {
    for (const { member } of changes) if (member && !member.equals(memberID)) others.add(member.toHexString());
  }
  return others;
}
