import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { EJSON } from 'bson';
import mongoose, { type Connection, type mongo } from 'mongoose';
import { type Config, readConfig } from '#platform/infrastructure/config';
import { openServices, type Services } from '#server/services/services';
import { testStores } from '../../support/stores';
import { type TestClock, testClock } from '../../support/testClock';

/** What `makeStore.ts` wrote. */
interface Stored {
  madeAt: Date;
  /** The purses of each member of the demo, as answers showed them; the status where a member has none. */
  points: Record<string, unknown>;
  collections: Record<string, { documents: mongo.Document[]; indexes: mongo.IndexDescriptionInfo[] }>;
}

/** The name of the file: the commit whose code made the store. */
export type StoreName = '43820b8';

/** A store of an earlier version in a database of this run, and what starts the present service on it. */
export interface LoadedStore {
  db: Connection;
  stored: Stored;
  config: Config;
  clock: TestClock;
  /** Starts the service at the moment at which the store was made. */
  open(): Promise<Services>;
  close(): Promise<void>;
}

/** Loads the store of an earlier version into an empty database: documents, indexes and nothing else. */
export async function loadStore(name: StoreName): Promise<LoadedStore> {
  const stored: Stored = EJSON.parse(
    gunzipSync(readFileSync(path.join(__dirname, `${name}.store.gz`))).toString(),
  ) as unknown as Stored;
  const stores = testStores();
  const db = await mongoose.createConnection(stores.mongodbUri).asPromise();
  await db.dropDatabase();
  for (const [collection, { documents, indexes }] of Object.entries(stored.collections)) {
    await db.createCollection(collection);
    const own = indexes.filter((index) => index.name !== '_id_').map(({ v: _version, ...index }) => index);
    if (own.length > 0) await db.collection(collection).createIndexes(own as mongo.IndexDescription[]);
    if (documents.length > 0) await db.collection(collection).insertMany(documents);
  }
  const clock = testClock();
  clock.set(stored.madeAt);
  const config = {
    ...readConfig({ LOG_LEVEL: 'silent', PORT: '0', JWT_SECRET: 'test key of 32 bytes or more, not secret' }),
    MONGODB_URI: stores.mongodbUri,
    REDIS_URL: stores.redisUrl,
    REDIS_PREFIX: stores.redisPrefix,
    ORG: 'test',
  };
  return {
    db,
    stored,
    config,
    clock,
    open: () => openServices(config, { clock }),
    async close() {
      await db.dropDatabase();
      await db.destroy();
      await stores.drop();
    },
  };
}
