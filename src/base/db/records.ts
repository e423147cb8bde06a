import { hash } from 'node:crypto';
import { ObjectId } from 'bson';

/** Who writes: the user in the stamps, and the org that owns the record. */
export interface Author {
  org: ObjectId;
  userId: ObjectId;
}

/** Returns the common fields of a new record. */
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

/** Returns the common fields that an update changes. */
export function updateStamps(author: Author, now: Date) {
  return { updatedAt: now, updatedBy: author.userId };
}

/** An update that sets these fields and removes those that are undefined, which the driver would ignore. */
export function updateOperators(fields: object, stamps: object): { $set: object; $unset?: Record<string, ''> } {
  const names = Object.entries(fields).flatMap(([name, value]: [string, unknown]) =>
    value === undefined ? [name] : [],
  );
  const $set = { ...fields, ...stamps };
  return names.length > 0 ? { $set, $unset: Object.fromEntries(names.map((name) => [name, ''])) } : { $set };
}

/**
 * Adds the common fields to a new record that has its id and own fields. In the literal, the copy comes last (decision
 * 16).
 */
export function stamped<T extends { _id: ObjectId }>(fields: T, { org, userId }: Author, now: Date) {
  return { org, createdAt: now, updatedAt: now, createdBy: userId, updatedBy: userId, ...fields };
}

/**
 * Returns the ObjectId of these parts. The same parts always give the same id. So the second write of the same thing
 * meets the unique `_id` and does not store it twice. The id is the first 96 bits of SHA-256 over the parts, separated
 * unambiguously.
 */
export function derivedId(...parts: IdPart[]): ObjectId {
  return ObjectId.createFromHexString(hashParts(parts).slice(0, 24));
}

/**
 * Works like {@link derivedId}, for a record made at the instant `at`. The id begins with the second of that instant,
 * as every other ObjectId does. So records sort in the order in which they were made, to the second, and their indexes
 * grow only at the end.
 */
export function derivedIdAt(at: Date, ...parts: IdPart[]): ObjectId {
  return ObjectId.createFromHexString(secondOf(at) + hashParts(parts).slice(0, 16));
}

/**
 * An id as `derivedIdAt` makes it, for records whose order counts: of two with the same second, the one with the lower
 * `order` sorts first. Its lowest 16 bits are part of the id; 48 bits of hash remain to tell records apart.
 */
export function derivedIdInOrder(at: Date, order: number, ...parts: IdPart[]): ObjectId {
  const place = (order % 2 ** 16).toString(16).padStart(4, '0');
  return ObjectId.createFromHexString(secondOf(at) + place + hashParts(parts).slice(0, 12));
}

/** The seconds since 1970 as the first 8 hexadecimal digits of an ObjectId. */
function secondOf(at: Date): string {
  return (Math.floor(at.getTime() / 1000) >>> 0).toString(16).padStart(8, '0');
}

type IdPart = string | number | ObjectId;

function hashParts(parts: readonly IdPart[]): string {
  let joined = '';
  for (const part of parts) {
    const text = typeof part === 'string' ? part : part.toString();
    joined += `${text.length}:${text}|`;
  }
  return hash('sha256', joined, 'hex');
}

/** No id sorts before it. */
export const lowestId = new ObjectId('0'.repeat(24));

/** Returns these ids without duplicates, in the order of their first occurrence. */
export function distinctIds(ids: readonly ObjectId[]): ObjectId[] {
  return [...new Map(ids.map((id) => [id.toHexString(), id])).values()];
}
