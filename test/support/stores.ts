import assert from 'node:assert';
import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { mongo } from 'mongoose';

/** The stores of one test file: the real servers of the run, with a database and a Redis prefix of its own. */
export interface TestStores {
  /** Connection string of a database that only this caller uses. */
  mongodbUri: string;
  redisUrl: string;
  /** Prefix of every Redis key of this caller. */
  redisPrefix: string;
  /** Empties the database and deletes the keys with the prefix. The caller must close its connections before. */
  drop(): Promise<void>;
}

/** Databases that this worker has used and emptied. Their collections and indexes exist, which saves time. */
const unused: string[] = [];

/** Returns an empty database and a Redis prefix on the servers of the run. */
export function testStores(): TestStores {
  const { TEST_MONGODB_URI, TEST_REDIS_URL } = process.env;
  assert(TEST_MONGODB_URI && TEST_REDIS_URL, 'the global setup of jest has not run');
  const name = `test-${randomBytes(6).toString('hex')}`;
  const database = unused.pop() ?? name;
  const mongodbUri = new URL(TEST_MONGODB_URI);
  mongodbUri.pathname = `/${database}`;
  const stores = { mongodbUri: mongodbUri.href, redisUrl: TEST_REDIS_URL, redisPrefix: name };
  return {
    ...stores,
    async drop() {
      await empty(stores);
      unused.push(database);
    },
  };
}

async function empty({ mongodbUri, redisUrl, redisPrefix }: Omit<TestStores, 'drop'>): Promise<void> {
  // A few connections: making one costs more than a few commands.
  const client = new mongo.MongoClient(mongodbUri, { maxPoolSize: 4 });
  const redis = new Redis(redisUrl);
  try {
    const found = await client.db().listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
    const names = found.map(({ name }) => name).filter((name) => !name.startsWith('system.'));
    await Promise.all(names.map((name) => emptyCollection(client.db(), name)));
    const keys = await redis.keys(`${redisPrefix}*`);
    if (keys.length > 0) await redis.unlink(keys);
  } finally {
    await client.close();
    redis.disconnect();
  }
}

async function emptyCollection(db: mongo.Db, name: string): Promise<void> {
  const { deletedCount } = await db.collection(name).deleteMany({});
  // The plan cache keeps what was best for these records. The next test file has others.
  if (deletedCount > 0) await db.command({ planCacheClear: name });
}
