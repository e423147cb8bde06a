import { mkdirSync } from 'node:fs';
import { totalmem } from 'node:os';
import path from 'node:path';
import { writePrivate } from './dataFiles';
import { portOf } from './freePort';
import { ensurePrimary, MONGOD_USER, type MongodSecrets, REPLICA_SET } from './replicaSet';
import type { Supervisor } from './supervisor';

/** How a private mongod is started. */
export interface MongodOptions {
  dataDir: string;
  binary: string;
  secrets: MongodSecrets;
  /** Further `--setParameter` values, such as `enableTestCommands` in tests. */
  setParameters?: Record<string, string | number | boolean> | undefined;
}

/**
 * Percent of the cache: how much may have changed before it is written out in the background, and before commits help
 * with that. Four times and twice the defaults (decision 20).
 */
const EVICTION =
  'eviction_dirty_target=20,eviction_dirty_trigger=40,eviction_updates_target=10,eviction_updates_trigger=20';

const PARAMETERS = {
  diagnosticDataCollectionEnabled: false,
  // Else whoever comes first to a new server may make its first user.
  enableLocalhostAuthBypass: false,
  // A replica set of one has nobody to hand its clients over to: the default of 15 s would only delay the end.
  shutdownTimeoutMillisForSignaledShutdown: 100,
  // A process that is killed inside a transaction leaves it open; the default of 60 s would block its members so long.
  transactionLifetimeLimitSeconds: 8,
  // Deleted index entries of queues stay in the way as long as old moments may be read; the default is five minutes.
  minSnapshotHistoryWindowInSeconds: 30,
};

/**
 * Starts the mongod of a data directory, a single-node replica set on a loopback port, and waits until it is primary;
 * gives its connection string.
 * @throws StartError when it does not come up
 */
export async function startMongod(options: MongodOptions, supervisor: Supervisor): Promise<string> {
  const { dataDir, binary, secrets } = options;
  const dbPath = path.join(dataDir, 'mongodb');
  mkdirSync(dbPath, { recursive: true, mode: 0o700 });
  const keyFile = path.join(dataDir, 'mongod.key');
  writePrivate(keyFile, secrets.mongodKey);
  const port = await portOf(dataDir, 'mongod');
  const parameters = Object.entries({ ...PARAMETERS, ...options.setParameters });
  // Slow operations are not logged: their lines hold whole commands.
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

/** Gives the connection string of an embedded mongod. */
export function mongodbUriOf(port: number, password: string): string {
  return `mongodb://${MONGOD_USER}:${password}@127.0.0.1:${port}/loyalty?replicaSet=${REPLICA_SET}&authSource=admin`;
}

/**
 * A quarter of the memory that this process may use, from 0.5 to 4 GB. A small cache is costly long before it is full:
 * WiredTiger writes out what has changed as soon as that is a part of it ({@link EVICTION}).
 */
function cacheGb(): number {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.min(4, Math.max(0.5, bytes / 4 / 1024 ** 3));
}
