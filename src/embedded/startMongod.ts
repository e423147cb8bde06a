import { mkdirSync } from 'node:fs';
import { totalmem } from 'node:os';
import path from 'node:path';
import { mongodKeyFile } from './dataFiles';
import { ensurePrimary, MONGOD_USER, type MongodSecrets, REPLICA_SET } from './replicaSet';
import { type RunningServer, runServer } from './serverProcess';
import { writePrivate } from './writePrivate';

/** How a private mongod is started. */
export interface MongodOptions {
  dataDir: string;
  binary: string;
  secrets: MongodSecrets;
  /** Most memory that WiredTiger's cache takes, in GB; absent means {@link defaultCacheGb}. */
  cacheGb?: number;
  /** Further `--setParameter` values, such as `enableTestCommands` in tests. */
  setParameters?: Record<string, string | number | boolean>;
}

const OPLOG_MB = 1024;

/**
 * Percent of the cache: how much may have changed before it is written out in the background, and before commits help
 * with that. Four times and twice the defaults (decision 20).
 */
const EVICTION = [
  'eviction_dirty_target=20',
  'eviction_dirty_trigger=40',
  'eviction_updates_target=10',
  'eviction_updates_trigger=20',
].join(',');

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
 * Starts (or takes over) the mongod of a data directory, a single-node replica set on a loopback port, and waits until it is primary.
 * @throws StartError when it does not come up
 */
export function startMongod(options: MongodOptions): Promise<RunningServer> {
  const dbPath = path.join(options.dataDir, 'mongodb');
  mkdirSync(dbPath, { recursive: true, mode: 0o700 });
  writePrivate(mongodKeyFile(options.dataDir), options.secrets.mongodKey);
  return runServer(options.dataDir, {
    name: 'mongod',
    binary: options.binary,
    args: (port) => mongodArgs(options, dbPath, port),
    logsValues: true,
    prepare: (port, pid) => ensurePrimary(port, pid, options.secrets),
  });
}

/** Gives the connection string of an embedded mongod. */
export function mongodbUriOf({ port }: Pick<RunningServer, 'port'>, password: string): string {
  const user = `${MONGOD_USER}:${password}`;
  return `mongodb://${user}@127.0.0.1:${port}/loyalty?replicaSet=${REPLICA_SET}&authSource=admin`;
}

/**
 * A quarter of the memory that this process may use, from 0.5 to 4 GB. A small cache is costly long before it is full:
 * WiredTiger writes out what has changed as soon as that is a part of it ({@link EVICTION}).
 */
function defaultCacheGb(): number {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.min(4, Math.max(0.5, bytes / 4 / 1024 ** 3));
}

function mongodArgs(options: MongodOptions, dbPath: string, port: number): string[] {
  const parameters = Object.entries({ ...PARAMETERS, ...options.setParameters });
  return [
    ['--dbpath', dbPath],
    ['--port', String(port)],
    ['--bind_ip', '127.0.0.1'],
    ['--nounixsocket'],
    ['--replSet', REPLICA_SET],
    ['--oplogSize', String(OPLOG_MB)],
    ['--wiredTigerCacheSizeGB', (options.cacheGb ?? defaultCacheGb()).toFixed(2)],
    ['--noscripting'],
    ['--wiredTigerEngineConfigString', EVICTION],
    ['--networkMessageCompressors', 'snappy,zstd'],
    ['--auth', '--keyFile', mongodKeyFile(options.dataDir)],
    // Slow operations are not logged: their lines hold whole commands.
    ['--quiet', '--slowOpSampleRate', '0'],
    ...parameters.map(([name, value]) => ['--setParameter', `${name}=${value}`]),
  ].flat();
}
