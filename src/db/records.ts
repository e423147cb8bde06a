import { hash } from 'node:crypto';
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

/**
 * The ObjectId that stands for these parts: the same parts always give the same id, so writing a thing twice meets the
 * unique `_id` instead of doubling it. First 96 bits of SHA-256 over the parts, separated unambiguously.
 */
export function derivedId(...parts: IdPart[]): ObjectId {
  return ObjectId.createFromHexString(hashOf(parts).slice(0, 24));
}

/**
 * Like {@link derivedId}, of a record made at this moment: the id begins with its second, as every ObjectId does that is
 * not derived. Records then list in the order they were made, to the second, and their indexes grow at the end only.
 */
export function derivedIdAt(at: Date, ...parts: IdPart[]): ObjectId {
  const seconds = Math.floor(at.getTime() / 1000) >>> 0;
  return ObjectId.createFromHexString(seconds.toString(16).padStart(8, '0') + hashOf(parts).slice(0, 16));
}

type IdPart = string | number | ObjectId;

function hashOf(parts: readonly IdPart[]): string {
  let joined = '';
  for (const part of parts) {
    const text = typeof part === 'string' ? part : part.toString();
    joined += `${text.length}:${text}|`;
  }
  return hash('sha256', joined, 'hex');
}

/** These ids, each once, in the order in which they first come. */
export function distinctIds(ids: readonly ObjectId[]): ObjectId[] {
  return [...new Map(ids.map((id) => [id.toHexString(), id])).values()];
}
