import assert from 'node:assert';
import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { mongo } from 'mongoose';

/** The stores of one test file: real servers shared by the run, a database and names of its own. */
export interface TestStores {
  /** Connection string of a database only this caller uses. */
  mongodbUri: string;
  redisUrl: string;
  /** Prefix of every redis key of this caller, such as BullMQ's `prefix`. */
  redisPrefix: string;
  /** Empties the database and deletes the keys with the prefix; connections must be closed by whoever opened them. */
  drop(): Promise<void>;
}

/** Databases that this worker used before: they are empty, and have their collections and indexes. */
const unused: string[] = [];

/** Gives an empty database and a redis prefix on the servers of the run. */
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
  const client = new mongo.MongoClient(mongodbUri);
  const redis = new Redis(redisUrl);
  try {
    const found = await client.db().listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
    const names = found.map(({ name }) => name).filter((name) => !name.startsWith('system.'));
    await Promise.all(names.map((name) => client.db().collection(name).deleteMany({})));
    // A plan that was best for the records of the file before is not one that the next would get.
    await Promise.all(names.map((planCacheClear) => client.db().command({ planCacheClear })));
    const keys = await redis.keys(`${redisPrefix}*`);
    if (keys.length > 0) await redis.unlink(keys);
  } finally {
    await client.close();
    redis.disconnect();
  }
}
