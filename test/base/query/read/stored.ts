import { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { connect } from '#base/db/connect';
import { prepareCollections } from '#base/db/prepareCollections';
import type { Reader } from '#base/query/reader';
import { testStores } from '../../../support/stores';
import { boxResource, thingResource } from '../thing';

/** A database with the collections of things and boxes. */
export interface StoredThings {
  db: Connection;
  /** Makes a reader of a new org, with these permissions in addition to reading things. */
  reader(...permissions: string[]): Reader;
  close(): Promise<void>;
}

export async function storedThings(): Promise<StoredThings> {
  const stores = testStores();
  const db = await connect(stores.mongodbUri, { maxPoolSize: 10 });
  const resources = [thingResource, boxResource];
  await prepareCollections(db, resources);
  return {
    db,
    reader: (...permissions) => ({
      db,
      resources,
      org: new ObjectId(),
      userId: new ObjectId(),
      permissions: new Set(['things:read', ...permissions]),
    }),
    async close() {
      await db.destroy();
      await stores.drop();
    },
  };
}
