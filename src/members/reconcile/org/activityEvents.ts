import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { inSnapshot, type SnapshotOptions } from '#base/db/inSnapshot';
import { eachYielding } from '#base/db/readYielding';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { readArchivedAmong } from '#records/archives/findArchived';
import { eventPageResource } from '#records/events/eventPage';
import { type Member, memberResource } from '#records/members/member';
import type { Mismatch } from '../checkInvariants';
import type { OrgCheck } from '../reconciledOrg';
import { inChunks } from './inChunks';
import { eventsSince } from './keptEvents';
import { mergedById } from './mergedById';

/** The number of activities that are confirmed together. */
const confirmedMax = 200;

/** An activity that events say was processed or has failed, how many do, and the member that they name. */
interface Announced {
  _id: ObjectId;
  times: number;
  member: ObjectId;
}

/** An activity with a history. */
interface Stored {
  _id: ObjectId;
  /** False for one that the service stored without an event: it is seeded, or older than the events that are kept. */
  hasEvent: boolean;
}

/**
 * Finds activities with a history and no event, those with several, and events of activities that have no
 * history. Both are read in order of their ids, beside commits; what differs is read again in one snapshot.
 */
export const activityEvents: OrgCheck = async function* (reconciled) {
  const { db, org, deletedBefore, archived } = reconciled;
  const since = await eventsSince(db, org);
  const asked = { org, since, isGone: (id: ObjectId) => deletedBefore !== undefined || archived.has(id.toHexString()) };
  if (await inSnapshot(db, (at) => isSame(db, at, asked))) return;
  for await (const some of inChunks(differing(db, asked), confirmedMax)) {
    yield* await inSnapshot(db, (at) => confirmed(db, at, asked, some));
  }
};

interface Asked {
  org: ObjectId;
  since: Date | undefined;
  /** Whether the history of an activity may be gone: retention deletes some, and the archive has some. */
  isGone(id: ObjectId): boolean;
}

/** What a set of activities adds up to: how many they are, and the seconds with which their ids begin. */
const summary = [
  { $group: { _id: null, times: { $sum: '$times' }, seconds: { $sum: { $toLong: { $toDate: '$_id' } } } } },
];

/** Whether both add up to the same. MongoDB finds that out alone, and then nothing has to be compared one by one. */
async function isSame(db: Connection, at: SnapshotOptions, { org, since }: Asked): Promise<boolean> {
  const announced = [...announcedPipeline({ org }), ...summary];
  const stored = [
    // An index says which ones are later.
    { $match: { org, oplogTS: { $gt: since?.getTime() ?? Number.POSITIVE_INFINITY } } },
    { $match: { $expr: isPosted } },
    { $set: { times: 1 } },
    ...summary,
  ];
  const options = { ...at, allowDiskUse: true };
  const [events] = await collectionOf(db, eventPageResource).aggregate(announced, options).toArray();
  const [histories] = await collectionOf(db, activityHistoryResource).aggregate(stored, options).toArray();
  return `${events?.times} ${events?.seconds}` === `${histories?.times} ${histories?.seconds}`;
}

async function* differing(
  db: Connection,
  asked: Asked,
): AsyncGenerator<{ id: ObjectId; member: ObjectId | undefined }> {
  const { org, since } = asked;
  const stored = eachYielding(storedActivities(db, undefined, { org }, since));
  const announced = eachYielding(announcedActivities(db, undefined, { org }));
  for await (const { id, first, second } of mergedById(stored, announced)) {
    if (faultOf(first, second?.times ?? 0, asked.isGone(id))) yield { id, member: second?.member };
  }
}

async function confirmed(
  db: Connection,
  at: SnapshotOptions,
  asked: Asked,
  some: readonly { id: ObjectId; member: ObjectId | undefined }[],
): Promise<Mismatch[]> {
  const { org, since } = asked;
  const ids = some.map(({ id }) => id);
  const stored = await storedActivities(db, at, { org, _id: { $in: ids } }, since).toArray();
  const about = await subjects(db, at, org, some);
  const numbered = await announcedActivities(
    db,
    at,
    { org, about: { $in: about }, last: { $exists: true } },
    ids,
  ).toArray();
  const waiting = await announcedActivities(db, at, { org, waits: true, about: { $in: about } }, ids).toArray();
  const later = await readArchivedAmong(db, at, org, ids);
  const times = new Map<string, number>();
  for (const each of [...numbered, ...waiting]) {
    const key = each._id.toHexString();
    times.set(key, (times.get(key) ?? 0) + each.times);
  }
  return ids.flatMap((id): Mismatch[] => {
    const own = stored.find(({ _id }) => _id.equals(id));
    const isGone = asked.isGone(id) || later.has(id.toHexString());
    const fault = faultOf(own, times.get(id.toHexString()) ?? 0, isGone);
    return fault ? [{ message: `Activity ${id} of org ${org} ${fault}` }] : [];
  });
}

function faultOf(stored: Stored | undefined, times: number, isGone: boolean): string | undefined {
  if (times > 1) return `has ${times} events`;
  if (times === 1) return stored || isGone ? undefined : 'has an event, but no history';
  return stored?.hasEvent ? 'has a history, but no event' : undefined;
}

/** What pages of events are about that may say so of these activities: their members, and those merged into them. */
async function subjects(
  db: Connection,
  at: SnapshotOptions,
  org: ObjectId,
  some: readonly { id: ObjectId; member: ObjectId | undefined }[],
): Promise<string[]> {
  const found = await collectionOf(db, activityHistoryResource)
    .find({ org, _id: { $in: some.map(({ id }) => id) } }, at)
    .project<{ memberID: ObjectId }>({ memberID: 1 })
    .toArray();
  const owners = await collectionOf(db, memberResource)
    .find({ org, _id: { $in: found.map(({ memberID }) => memberID) } }, at)
    .project<Pick<Member, '_id' | 'mergeIds'>>({ mergeIds: 1 })
    .toArray();
  const ids = [
    ...some.flatMap(({ member }) => member ?? []),
    ...owners.flatMap(({ _id, mergeIds = [] }) => [_id, ...mergeIds]),
  ];
  return [...new Set(ids.map((id) => id.toHexString()))];
}

/** Activities with a history, in order of id. */
function storedActivities(db: Connection, at: SnapshotOptions | undefined, filter: object, since: Date | undefined) {
  return collectionOf(db, activityHistoryResource)
    .find(filter, at)
    .sort({ _id: 1 })
    .project<Stored>({ hasEvent: hasEvent(since) });
}

/** Whether a history is not seeded. */
const isPosted = { $ne: ['$externalTxnId', { $concat: ['seed-', { $toString: '$_id' }] }] };

/** Whether a history is later than the first event, and not seeded. */
function hasEvent(since: Date | undefined): object {
  return since ? { $and: [{ $gt: ['$oplogTS', since.getTime()] }, isPosted] } : { $literal: false };
}

/** The activities with events, in order of id. An activity that was refused has no history and names no member. */
function announcedActivities(
  db: Connection,
  at: SnapshotOptions | undefined,
  filter: object,
  only?: readonly ObjectId[],
) {
  const pipeline = [...announcedPipeline(filter, only), { $sort: { _id: 1 as const } }];
  return collectionOf(db, eventPageResource).aggregate<Announced>(pipeline, { ...at, allowDiskUse: true });
}

function announcedPipeline(filter: object, only?: readonly ObjectId[]) {
  const isOutcome = { $in: ['activity.processed', 'activity.failed'] };
  const isWanted = only ? { 'events.data.activity': { $in: [...only] } } : {};
  return [
    { $match: filter },
    { $project: { 'events.type': 1, 'events.member': 1, 'events.data.activity': 1 } },
    { $unwind: '$events' },
    { $match: { 'events.type': isOutcome, 'events.member': { $exists: true }, ...isWanted } },
    { $group: { _id: '$events.data.activity', times: { $sum: 1 }, member: { $first: '$events.member' } } },
  ];
}
