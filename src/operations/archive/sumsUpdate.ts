import type { ObjectId } from 'bson';
import { type Author, newStamps, updateStamps } from '#base/db/records';

/** Who notes sums, and when. */
export interface NotedBy {
  author: Author;
  now: Date;
}

/**
 * The update that stores sums in a record, which may be new.
 * @param made what a new record has besides
 */
export function sumsUpdate({ author, now }: NotedBy, recordId: ObjectId, sums: object, made: object = {}) {
  const { _id, org, createdAt, createdBy } = newStamps(author, now, recordId);
  return {
    q: { _id, org },
    u: { $set: { ...sums, ...updateStamps(author, now) }, $setOnInsert: { createdAt, createdBy, ...made } },
    upsert: true,
  };
}
