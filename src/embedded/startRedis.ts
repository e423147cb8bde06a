import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Redis } from 'ioredis';
import { logFile } from './dataFiles';
import { type RunningServer, runServer } from './serverProcess';

/** How a private redis-server is started. */
export interface RedisOptions {
  dataDir: string;
  binary: string;
}

const LOADING_LIMIT_MS = 60_000;

/**
 * Starts (or takes over) the redis-server of a data directory on a loopback port, with an append-only file and no eviction.
 * @throws StartError when it does not come up
 */
export function startRedis(options: RedisOptions): Promise<RunningServer> {
  const directory = path.join(options.dataDir, 'redis');
  mkdirSync(directory, { recursive: true });
  return runServer(options.dataDir, {
    name: 'redis-server',
    binary: options.binary,
    args: (port) => redisArgs(options, directory, port),
    prepare: waitUntilLoaded,
  });
}

/** Gives the URL of an embedded redis-server. */
export function redisUrlOf({ port }: Pick<RunningServer, 'port'>): string {
  return `redis://127.0.0.1:${port}`;
}

function redisArgs(options: RedisOptions, directory: string, port: number): string[] {
  return [
    ['--dir', directory],
    ['--port', String(port)],
    ['--bind', '127.0.0.1'],
    ['--appendonly', 'yes', '--appendfsync', 'everysec', '--save', ''],
    ['--maxmemory-policy', 'noeviction'],
    ['--logfile', logFile(options.dataDir, 'redis-server'), '--loglevel', 'notice'],
  ].flat();
}

/** A server that replays a long append-only file listens already, but answers LOADING. */
async function waitUntilLoaded(port: number, pid: number): Promise<void> {
  const redis = new Redis(port, '127.0.0.1', {
    lazyConnect: true,
    maxLoadingRetryTime: LOADING_LIMIT_MS,
    retryStrategy: () => null,
  });
  redis.on('error', () => undefined); // the rejected ping tells it
  try {
    await redis.ping();
    const answering = /^process_id:(\d+)/m.exec(await redis.info('server'))?.[1];
    if (Number(answering) !== pid) throw new Error(`another redis-server listens on port ${port}`);
  } finally {
    redis.disconnect();
  }
}
