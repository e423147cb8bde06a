import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { orgResource } from './org';
import { collectionOf, type Resource } from './resource';
import { inTransaction } from './transaction';

/**
 * Runs one write of a resource's record. Of a definition it counts up the org's `definitionsVersion` in the same
 * transaction, so that no process goes on with what it keeps of the old one.
 * @throws what `write` throws; a driver's error that is worth another attempt when two definitions change at once
 */
export async function writeRecord<T>(
  db: Connection,
  resource: Resource,
  org: ObjectId,
  write: (session?: ClientSession) => Promise<T>,
): Promise<T> {
  if (!resource.isDefinition) return write();
  return inTurn(db, org, () =>
    inTransaction(db, async (session) => {
      // First, so that a conflict with another process shows before anything else is written.
      await countDefinitionChange(db, org, session);
      return write(session);
    }),
  );
}

const lastWrites = new WeakMap<Connection, Map<string, Promise<unknown>>>();

/** Writes of one org's definitions from this process wait for each other: side by side they would only conflict. */
async function inTurn<T>(db: Connection, org: ObjectId, write: () => Promise<T>): Promise<T> {
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

/** Says that definitions of an org changed; for writes that do not go through {@link writeRecord}. */
export async function countDefinitionChange(db: Connection, org: ObjectId, session?: ClientSession): Promise<void> {
  const change = { $inc: { definitionsVersion: 1 } };
  await collectionOf(db, orgResource).updateOne({ _id: org }, change, session ? { session } : {});
}
