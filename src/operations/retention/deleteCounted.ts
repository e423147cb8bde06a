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
  const less = { ...updateStamps(author, now), count: { $add: ['$count', -deletedCount] } };
  const update = { q: { _id: recordCountId(org, path), org }, u: [{ $set: less }] };
  await updateAll(db, session, recordCountResource.path, [update]);
  return deletedCount;
}
