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
  return inTransaction(db, async (session) => {
    const result = await write(session);
    await countDefinitionChange(db, org, session);
    return result;
  });
}

/** Says that definitions of an org changed; for writes that do not go through {@link writeRecord}. */
export async function countDefinitionChange(db: Connection, org: ObjectId, session?: ClientSession): Promise<void> {
  const change = { $inc: { definitionsVersion: 1 } };
  await collectionOf(db, orgResource).updateOne({ _id: org }, change, session ? { session } : {});
}
