import { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { connect, prepareCollections } from '../../../src/db/connect';
import type { Reader } from '../../../src/query/reader';
import { testStores } from '../../support/stores';
import { boxResource, thingResource } from '../thing';

/** Things and boxes in a database of their own. */
export interface StoredThings {
  db: Connection;
  /** A reader of an org of its own, with these permissions besides reading things. */
  reader(...permissions: string[]): Reader;
  close(): Promise<void>;
}

/** Opens a database with the collections of things and boxes. */
export async function storedThings(): Promise<StoredThings> {
  const stores = testStores();
  const db = await connect(stores.mongodbUri, { maxPoolSize: 10 });
  const resources = [thingResource, boxResource];
  await prepareCollections(db, resources);
  return {
    db,
    reader: (...permissions) => ({
      ...{ db, resources, org: new ObjectId(), userId: new ObjectId() },
      permissions: new Set(['things:read', ...permissions]),
    }),
    async close() {
      await db.destroy();
      await stores.drop();
    },
  };
}
