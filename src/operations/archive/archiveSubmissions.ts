import { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { collectionOf, updateAll } from '#base/db/collections';
import { lowestId } from '#base/db/records';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { hasFreeKey, type Submission, submissionResource } from '#records/activities/submission';
import { rememberKeys } from '#records/archives/archivedKey';
import { archiveVolumeResource } from '#records/archives/archiveVolume';
import type { MovedTo } from './archiveScope';
import { type ArchivedRecord, recordLine } from './volumeFiles';

/** Submissions that are looked at together. */
const pageSize = 200;

/** What was sent, and what a refusal says of it, may name a person. */
const projection = { request: 0, outcome: 0 } as const;

/**
 * Reads the submissions that may be archived, in the order of their ids: those that were accepted before an instant, are
 * finished and have no history. MongoDB deletes those with a date of their end itself.
 */
export async function* archivableSubmissions(
  db: Connection,
  org: ObjectId,
  before: Date,
): AsyncGenerator<ArchivedRecord['record'], void, undefined> {
  // An id begins with the second in which it was made.
  const end = ObjectId.createFromTime(Math.floor(before.getTime() / 1000));
  for (let after = lowestId; ; ) {
    const page = await collectionOf(db, submissionResource)
      .find({ org, _id: { $gt: after, $lt: end } }, { projection })
      .sort({ _id: 1 })
      .limit(pageSize)
      .toArray();
    const last = page.at(-1);
    if (!last) return;
    after = last._id;
    const old = page.filter(({ acceptedAt }) => acceptedAt < before);
    const needed = await idsWithHistory(db, {}, org, old);
    yield* old.filter((each) => isFinished(each) && !needed.has(each._id.toHexString()));
  }
}

function isFinished({ status, expiresAt }: Submission): boolean {
  return status !== 'Queued' && expiresAt === undefined;
}

/** The transaction that reads; absent: none. */
interface ReadIn {
  session?: ClientSession;
}

/** Those of these submissions that have a history, whose result is still answered, as hexadecimal ids. */
async function idsWithHistory(db: Connection, at: ReadIn, org: ObjectId, some: readonly Submission[]) {
  const found = await collectionOf(db, activityHistoryResource)
    .find({ org, _id: { $in: some.map(({ _id }) => _id) } }, { ...at, projection: { _id: 1 } })
    .toArray();
  return new Set(found.map(({ _id }) => _id.toHexString()));
}

/**
 * Deletes submissions that a volume has, in the transaction that remembers their keys. One that has changed since it was
 * written stays. A key that is free is not remembered: nothing had its effect.
 * @returns how many were deleted
 */
export async function moveSubmissions(
  db: Connection,
  session: ClientSession,
  { volume, author: { org } }: MovedTo,
  records: readonly ArchivedRecord[],
): Promise<number> {
  const lines = new Map(records.map(({ record, line }) => [record._id.toHexString(), line]));
  const found = await collectionOf(db, submissionResource)
    .find({ org, _id: { $in: records.map(({ record }) => record._id) } }, { session })
    .toArray();
  const same = found.filter(({ request: _request, outcome: _outcome, ...rest }) => {
    return recordLine(rest) === lines.get(rest._id.toHexString());
  });
  const needed = await idsWithHistory(db, { session }, org, same);
  const going = same.filter((each) => isFinished(each) && !needed.has(each._id.toHexString()));
  if (going.length === 0) return 0;
  await collectionOf(db, submissionResource).deleteMany(
    { org, _id: { $in: going.map(({ _id }) => _id) } },
    { session },
  );
  const taken = going.filter((each) => !hasFreeKey(each));
  const keys = await rememberKeys(db, session, { org, volume }, taken);
  const noted = { q: { _id: volume, org }, u: { $inc: { keys } } };
  await updateAll(db, session, archiveVolumeResource.path, [noted]);
  return going.length;
}
