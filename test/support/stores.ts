import assert from 'node:assert';
import { createHash, randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { type Connection, mongo } from 'mongoose';
import { watchCommands } from './shardKeys/watchCommands';

watchCommands();

/** The stores of one test file: the real servers of the run, with a database and a Redis prefix of its own. */
export interface TestStores {
  /** Connection string of a database that only this caller uses. */
  mongodbUri: string;
  redisUrl: string;
  /** Prefix of every Redis key of this caller. */
  redisPrefix: string;
  /** Empties the database, through a connection to it, and deletes the keys with the prefix. */
  empty(db: Connection): Promise<void>;
  /** Gives the emptied database to the next caller. */
  giveBack(): void;
  /** Empties the stores and gives the database to the next caller. This caller must close its connections before. */
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
  const giveBack = () => void unused.push(database);
  return {
    ...stores,
    async empty(db) {
      // Open services have brought their database to this level.
      await Promise.all([emptyDatabase(databaseOf(db), ['migrations']), withoutKeys(stores)]);
    },
    giveBack,
    async drop() {
      // A few connections: making one costs more than a few commands.
      const client = new mongo.MongoClient(stores.mongodbUri, { maxPoolSize: 4 });
      try {
        await Promise.all([emptyDatabase(client.db()), withoutKeys(stores)]);
      } finally {
        await client.close();
      }
      giveBack();
    },
  };
}

/** The driver's database of an open connection. */
export function databaseOf({ db }: Connection): mongo.Db {
  assert(db, 'the connection is closed');
  return db;
}

async function withoutKeys({ redisUrl, redisPrefix }: Pick<TestStores, 'redisUrl' | 'redisPrefix'>): Promise<void> {
  const redis = new Redis(redisUrl);
  try {
    const keys = await redis.keys(`${redisPrefix}*`);
    if (keys.length > 0) await redis.unlink(keys);
  } finally {
    redis.disconnect();
  }
}

/** Deletes all documents. Collections and indexes stay: to make them again takes most of the time of a restore. */
export async function emptyDatabase(db: mongo.Db, kept: string[] = []): Promise<void> {
  const names = Object.keys(await contentHashes(db)).filter((name) => !kept.includes(name));
  await Promise.all(names.map((name) => emptyCollection(db, name)));
}

/** A hash of the documents of each collection that has any: one command instead of one for each collection. */
export async function contentHashes(db: mongo.Db): Promise<Record<string, string>> {
  const { collections } = await db.command({ dbHash: 1 });
  const filled = Object.entries<string>(collections).filter(([, hash]) => hash !== hashOfNothing);
  return Object.fromEntries(filled.filter(([name]) => !name.startsWith('system.')));
}

const hashOfNothing = createHash('md5').digest('hex');

/** The plan cache keeps what was best for these records. The next test file has others. */
async function emptyCollection(db: mongo.Db, name: string): Promise<void> {
  await db.collection(name).deleteMany({});
  await db.command({ planCacheClear: name });
}
