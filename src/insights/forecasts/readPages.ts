import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { elapsedMs } from '#base/common/clock';
import { unavailable } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { lowestId } from '#base/db/records';

/** Whose records are read, and until when. */
export interface PagesScope {
  org: ObjectId;
  /** The value of `elapsedMs()` at which reading is given up. */
  endsAt: number;
  /** Only records whose ids are greater are read. */
  after?: ObjectId | undefined;
}

/** Records that one query reads. Short queries leave the database free for others in between. */
const pageMax = 20_000;

/**
 * Runs an aggregation over all records of an org, a page of their ids after the other. The caller adds up the rows that
 * belong together.
 * @throws ServiceError 1310 when it takes too long
 */
export async function readPages<T extends object>(
  db: Connection,
  path: string,
  { org, endsAt, after: first = lowestId }: PagesScope,
  stages: readonly Record<string, unknown>[],
): Promise<T[]> {
  const records = db.collection(path);
  const rows: T[] = [];
  for (let after: ObjectId | undefined = first; after; ) {
    const maxTimeMS = Math.ceil(endsAt - elapsedMs());
    if (maxTimeMS <= 0) throw unavailable(message('insights.tooManyRecords'));
    const until: ObjectId | undefined = await lastOfPage(records, org, after, maxTimeMS);
    const ids = { $gt: after, ...(until ? { $lte: until } : {}) };
    rows.push(...(await records.aggregate<T>([{ $match: { org, _id: ids } }, ...stages], { maxTimeMS }).toArray()));
    after = until;
  }
  return rows;
}

/** The last id of a full page after an id; undefined when fewer records are left. */
async function lastOfPage(
  records: ReturnType<Connection['collection']>,
  org: ObjectId,
  after: ObjectId,
  maxTimeMS: number,
): Promise<ObjectId | undefined> {
  const [last] = await records
    .find({ org, _id: { $gt: after } }, { maxTimeMS, projection: { _id: 1 } })
    .sort({ org: 1, _id: 1 })
    .skip(pageMax - 1)
    .limit(1)
    .toArray();
  return last?._id;
}
