import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';

const lastWrites = new WeakMap<Connection, Map<string, Promise<unknown>>>();

/**
 * Runs transactions of this process that write the same org's record one after the other: changes of definitions, and
 * what the audit log records. In parallel they would only conflict. `write` must not call this again.
 */
export async function serializedPerOrg<T>(db: Connection, org: ObjectId, write: () => Promise<T>): Promise<T> {
  const last = lastWrites.get(db) ?? new Map<string, Promise<unknown>>();
  lastWrites.set(db, last);
  const key = org.toHexString();
  const before = last.get(key) ?? Promise.resolve();
  const mine = before.then(write, write);
  last.set(key, mine);
  try {
    return await mine;
  } finally {
    if (last.get(key) === mine) last.delete(key);
  }
}
