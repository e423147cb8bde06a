import { ObjectId } from 'bson';

/** Who writes: the user that stamps carry and the org that owns what is written. */
export interface Author {
  org: ObjectId;
  userId: ObjectId;
}

/** The common fields of a new record. */
export function newStamps(author: Author, now: Date, id: ObjectId = new ObjectId()) {
  return {
    _id: id,
    org: author.org,
    createdAt: now,
    updatedAt: now,
    createdBy: author.userId,
    updatedBy: author.userId,
  };
}

/** The common fields that an update changes. */
export function updateStamps(author: Author, now: Date) {
  return { updatedAt: now, updatedBy: author.userId };
}

/**
 * A new record of what has its id and own fields, and none of the common ones yet. The copy comes last (decision 16).
 */
export function stamped<T extends { _id: ObjectId }>(fields: T, { org, userId }: Author, now: Date) {
  return { org, createdAt: now, updatedAt: now, createdBy: userId, updatedBy: userId, ...fields };
}
