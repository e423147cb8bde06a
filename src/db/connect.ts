import mongoose, { type Connection, type mongo } from 'mongoose';
import type { Resource } from '../schema/resource';
import { appName } from './abandoned';
import { endStuckWrites } from './endStuckWrites';
import { timeouts } from './timeouts';

/**
 * Opens the connection of a process. Writes are majority and journaled, and every wait has a limit ({@link timeouts}).
 */
export async function connect(uri: string, options: { maxPoolSize: number }): Promise<Connection> {
  const db = mongoose.createConnection(uri, {
    ...options,
    // An `appName` in the URI is the own name that the operator gave these processes.
    ...(/[?&]appName=/i.test(uri) ? {} : { appName }),
    autoIndex: false,
    autoCreate: false,
    bufferCommands: false,
    ignoreUndefined: true,
    // The server stores valid UTF-8 only. Checking it again is slow for a batch of hundreds of documents.
    enableUtf8Validation: false,
    serverSelectionTimeoutMS: timeouts.selectionMs,
    waitQueueTimeoutMS: timeouts.poolMs,
    connectTimeoutMS: timeouts.connectMs,
    heartbeatFrequencyMS: timeouts.heartbeatMs,
    socketTimeoutMS: timeouts.socketMs,
    retryWrites: true,
    retryReads: true,
    w: 'majority',
    journal: true,
    wtimeoutMS: timeouts.majorityMs,
    readConcernLevel: 'majority',
    compressors: ['none'],
  });
  await db.asPromise();
  endStuckWrites(db);
  return db;
}

/**
 * Documents and index pages are written to disk compressed by zstd. Index pages are as large as pages of documents,
 * because small ones compress less (decision 51).
 */
const compression = {
  ...wiredTiger('block_compressor=zstd'),
  indexOptionDefaults: wiredTiger('block_compressor=zstd,leaf_page_max=32KB'),
};

function wiredTiger(configString: string) {
  return { storageEngine: { wiredTiger: { configString } } };
}

/** Makes every collection and index that the resources declare. It must run before the first transaction. */
export async function prepareCollections(db: Connection, resources: readonly Resource[]): Promise<void> {
  const existing = new Set((await db.listCollections()).map((collection) => collection.name));
  const missing = resources.filter(({ path }) => !existing.has(path));
  const options = { ...compression, writeConcern: patient };
  await Promise.all(missing.map(({ path }) => db.createCollection(path, options).catch(ignoreExisting)));
  await Promise.all(resources.map((resource) => makeIndexes(db, resource)));
}

async function makeIndexes(db: Connection, resource: Resource): Promise<void> {
  const specs = resource.indexes.map(({ keys, unique, where, expireAfterSeconds }) => ({
    key: keys,
    ...(unique ? { unique } : {}),
    ...(where ? { partialFilterExpression: where } : {}),
    ...(expireAfterSeconds === undefined ? {} : { expireAfterSeconds }),
  }));
  if (specs.length > 0) await db.collection(resource.path).createIndexes(specs, indexing);
}

/** A replica set that has just started, or is busy, may be slow to confirm. A start waits longer than a request. */
const patient: mongo.WriteConcernSettings = { w: 'majority', wtimeoutMS: 15_000 };

/** Building an index over existing documents may take minutes. The driver takes these options without their types. */
const indexing: mongo.CreateIndexesOptions & { socketTimeoutMS: number; writeConcern: typeof patient } = {
  socketTimeoutMS: 0,
  writeConcern: patient,
};

const namespaceExists = 48;

/** Two processes that start at the same time both try to make the collections. */
function ignoreExisting(error: unknown): void {
  if ((error as { code?: number }).code !== namespaceExists) throw error;
}
