import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { collectionOf, insertAll, updateAll } from '#base/db/collections';
import { distinctIds, newStamps } from '#base/db/records';
import { personalFields } from '#members/members/forgetHistories';
import { deleteCounted } from '#operations/retention/deleteCounted';
import { type OldHistory, oldHistories, unneededHistories } from '#operations/retention/oldHistories';
import { type ActivityHistory, activityHistoryResource } from '#records/activities/activityHistory';
import { archivedPageResource } from '#records/archives/archivedPage';
import { archiveVolumeResource } from '#records/archives/archiveVolume';
import { packIds } from '#records/archives/findArchived';
import { noteArchived } from './archivedFigures';
import type { MovedTo } from './archiveScope';
import { type ArchivedRecord, recordLine } from './volumeFiles';

/** Files keep no personal data, so that the erasure of a member has nothing to do there. */
const projection = Object.fromEntries(personalFields.map((field) => [field, 0 as const]));

/** Reads the histories that may be archived, in the order of their ids: those that retention may delete too. */
export async function* archivableHistories(
  db: Connection,
  org: ObjectId,
  before: Date,
): AsyncGenerator<ArchivedRecord['record'], void, undefined> {
  for await (const page of oldHistories(db, org, before)) {
    const ids = await unneededHistories(db, {}, org, page);
    yield* await collectionOf(db, activityHistoryResource)
      .find({ org, _id: { $in: ids } }, { projection })
      .sort({ _id: 1 })
      .toArray();
  }
}

/**
 * Deletes histories that a volume has, in the transaction that notes their ids and their sums. A history that has changed
 * since it was written, or that something needs now, stays.
 * @returns how many were deleted
 */
export async function moveHistories(
  db: Connection,
  session: ClientSession,
  { volume, author, now }: MovedTo,
  records: readonly ArchivedRecord[],
): Promise<number> {
  const { org } = author;
  const lines = new Map(records.map(({ record, line }) => [record._id.toHexString(), line]));
  const found = await collectionOf(db, activityHistoryResource)
    .find({ org, _id: { $in: records.map(({ record }) => record._id) } }, { session, projection })
    .toArray();
  const same = found.filter((history) => recordLine(history) === lines.get(history._id.toHexString()));
  const ids = await unneededHistories(db, { session }, org, same as OldHistory[]);
  if (ids.length === 0) return 0;
  const isGoing = new Set(ids.map((id) => id.toHexString()));
  const going = same.filter(({ _id }) => isGoing.has(_id.toHexString())) as ActivityHistory[];
  const page = { ...newStamps(author, now), volume, ...packIds(ids) };
  await insertAll(db, session, archivedPageResource.path, [page]);
  await noteArchived(db, session, { author, now }, going);
  const programs = distinctIds(going.flatMap(({ program, value = 0 }) => (value > 0 && program ? [program] : [])));
  const amounts = { $addToSet: { amountsOf: { $each: programs } } };
  await updateAll(db, session, archiveVolumeResource.path, [{ q: { _id: volume, org }, u: amounts }]);
  return deleteCounted(db, session, author, { path: 'activityhistories', ids, now });
}
