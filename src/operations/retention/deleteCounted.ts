import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { updateAll } from '#base/db/collections';
import { type Author, updateStamps } from '#base/db/records';
import { type CountedPath, recordCountId, recordCountResource } from '#records/aggregates/recordCount';

/** Which records of a counted collection are deleted, and when. */
interface Deleted {
  path: CountedPath;
  ids: readonly ObjectId[];
  now: Date;
}

/** Deletes records, and lowers the stored number of records of their org. @returns how many were there */
export async function deleteCounted(
  db: Connection,
  session: ClientSession,
  author: Author,
  { path, ids, now }: Deleted,
): Promise<number> {
  if (ids.length === 0) return 0;
  const { org } = author;
  const { deletedCount } = await db.collection(path).deleteMany({ org, _id: { $in: [...ids] } }, { session });
  await raiseCount(db, session, author, { path, by: -deletedCount, now });
  return deletedCount;
}

/** Adds to the stored number of records of an org; `by` is negative when there are fewer. */
export async function raiseCount(
  db: Connection,
  session: ClientSession,
  author: Author,
  { path, by, now }: { path: CountedPath; by: number; now: Date },
): Promise<void> {
  const { org } = author;
  const more = { ...updateStamps(author, now), count: { $add: ['$count', by] } };
  const update = { q: { _id: recordCountId(org, path), org }, u: [{ $set: more }] };
  await updateAll(db, session, recordCountResource.path, [update]);
}
