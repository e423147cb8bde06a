import { mkdirSync } from 'node:fs';
import { totalmem } from 'node:os';
import path from 'node:path';
import { writePrivate } from './dataFiles';
import { portOf } from './freePort';
import { ensurePrimary, MONGOD_USER, type MongodSecrets, REPLICA_SET } from './replicaSet';
import type { Supervisor } from './supervisor';

/** Options of {@link startMongod}. */
export interface MongodOptions {
  dataDir: string;
  binary: string;
  secrets: MongodSecrets;
  /** Further `--setParameter` values, such as `enableTestCommands` in tests. */
  setParameters?: Record<string, string | number | boolean> | undefined;
}

/**
 * How much of the cache, in percent, may have changed before WiredTiger writes it out in the background (target), and
 * before commits have to help with that (trigger). The targets are four times, the triggers twice the defaults
 * (decision 20).
 */
const EVICTION =
  'eviction_dirty_target=20,eviction_dirty_trigger=40,eviction_updates_target=10,eviction_updates_trigger=20';

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

/**
 * Starts the mongod of a data directory, a single-node replica set on a loopback port, and waits until it is primary.
 * Returns its connection string.
 * @throws StartError when the server does not become usable
 */
export async function startMongod(options: MongodOptions, supervisor: Supervisor): Promise<string> {
  const { dataDir, binary, secrets } = options;
  const dbPath = path.join(dataDir, 'mongodb');
  mkdirSync(dbPath, { recursive: true, mode: 0o700 });
  const keyFile = path.join(dataDir, 'mongod.key');
  writePrivate(keyFile, secrets.mongodKey);
  const port = await portOf(dataDir, 'mongod');
  const parameters = Object.entries({ ...PARAMETERS, ...options.setParameters });
  // Slow operations are not logged, because their lines contain whole commands.
  const settings = `--bind_ip 127.0.0.1 --nounixsocket --replSet ${REPLICA_SET} --oplogSize 1024 --noscripting
    --wiredTigerCacheSizeGB ${cacheGb().toFixed(2)} --wiredTigerEngineConfigString ${EVICTION}
    --networkMessageCompressors snappy,zstd --auth --quiet --slowOpSampleRate 0`;
  await supervisor.start({
    name: 'mongod',
    binary,
    args: [
      ...['--dbpath', dbPath, '--port', String(port), '--keyFile', keyFile],
      ...settings.split(/\s+/),
      ...parameters.flatMap(([parameter, value]) => ['--setParameter', `${parameter}=${value}`]),
    ],
    readyText: '"Waiting for connections"',
    logsValues: true,
  });
  await ensurePrimary(port, secrets);
  return mongodbUriOf(port, secrets.mongodPassword);
}

/** Returns the connection string of an embedded mongod. */
export function mongodbUriOf(port: number, password: string): string {
  return `mongodb://${MONGOD_USER}:${password}@127.0.0.1:${port}/loyalty?replicaSet=${REPLICA_SET}&authSource=admin`;
}

/**
 * Returns the size of the cache in GB: a quarter of the memory that this process may use, at least 0.5 and at most 4. A
 * small cache is slow long before it is full. WiredTiger writes out changes as soon as they fill a part of the cache
 * ({@link EVICTION}).
 */
function cacheGb(): number {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.min(4, Math.max(0.5, bytes / 4 / 1024 ** 3));
}
