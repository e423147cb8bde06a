import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Redis } from 'ioredis';
import { logFile, redisConfigFile } from './dataFiles';
import type { Secrets } from './secrets';
import { type RunningServer, runServer } from './serverProcess';
import { writePrivate } from './writePrivate';

/** How a private redis-server is started. */
export interface RedisOptions {
  dataDir: string;
  binary: string;
  secrets: RedisSecrets;
}

/** What a private redis-server asks for. */
export type RedisSecrets = Pick<Secrets, 'redisPassword'>;

const USER = 'loyalty';

const LOADING_LIMIT_MS = 60_000;

/**
 * Starts (or takes over) the redis-server of a data directory on a loopback port, with an append-only file and no eviction.
 * @throws StartError when it does not come up
 */
export function startRedis(options: RedisOptions): Promise<RunningServer> {
  const directory = path.join(options.dataDir, 'redis');
  const { redisPassword } = options.secrets;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writePrivate(redisConfigFile(options.dataDir), redisConfig(redisPassword));
  return runServer(options.dataDir, {
    name: 'redis-server',
    binary: options.binary,
    args: (port) => redisArgs(options, directory, port),
    logsValues: false,
    prepare: (port, pid) => waitUntilLoaded(redisUrlOf({ port }, redisPassword), pid),
  });
}

/** Gives the URL of an embedded redis-server. */
export function redisUrlOf({ port }: Pick<RunningServer, 'port'>, password: string): string {
  return `redis://${USER}:${password}@127.0.0.1:${port}`;
}

/**
 * One user, who may do what the queues and a person who looks into them need, and nothing that reaches beyond the data:
 * no CONFIG, MODULE, DEBUG, replication. No other user may do anything.
 */
const PERMISSIONS = '~* &* +@all -@admin -@dangerous +info +role +keys +flushall +flushdb +client';

/** Read from a file of this user, since arguments are seen by every user of the machine. */
function redisConfig(password: string): string {
  const renamed = ['CONFIG', 'MODULE', 'DEBUG'].map((command) => `rename-command ${command} ""`);
  return ['user default off', `user ${USER} on >${password} ${PERMISSIONS}`, ...renamed, ''].join('\n');
}

function redisArgs(options: RedisOptions, directory: string, port: number): string[] {
  return [
    [redisConfigFile(options.dataDir)],
    ['--dir', directory],
    ['--port', String(port)],
    ['--bind', '127.0.0.1'],
    ['--appendonly', 'yes', '--appendfsync', 'everysec', '--save', ''],
    ['--maxmemory-policy', 'noeviction'],
    ['--logfile', logFile(options.dataDir, 'redis-server'), '--loglevel', 'notice'],
  ].flat();
}

/** A server that replays a long append-only file listens already, but answers LOADING. */
async function waitUntilLoaded(url: string, pid: number): Promise<void> {
  const redis = new Redis(url, {
    lazyConnect: true,
    maxLoadingRetryTime: LOADING_LIMIT_MS,
    retryStrategy: () => null,
  });
  redis.on('error', () => undefined); // the rejected ping tells it
  try {
    await redis.ping();
    const answering = /^process_id:(\d+)/m.exec(await redis.info('server'))?.[1];
    if (Number(answering) !== pid) throw new Error('another redis-server listens on its port');
  } finally {
    redis.disconnect();
  }
}
