import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { writePrivate } from './dataFiles';
import { portOf } from './freePort';
import type { Secrets } from './secrets';
import type { Supervisor } from './supervisor';

const USER = 'loyalty';

/**
 * The permissions of the only user: what the queues need, and what a person needs to look into the queues. It may use
 * nothing that reaches beyond the data: no CONFIG, MODULE, DEBUG or replication.
 */
const PERMISSIONS = '~* &* +@all -@admin -@dangerous +info +role +keys +flushall +flushdb +client';

const SETTINGS =
  '--bind 127.0.0.1 --appendonly yes --appendfsync everysec --maxmemory-policy noeviction --loglevel notice';

/**
 * Starts the redis-server of a data directory on a loopback port, with an append-only file and without eviction.
 * Returns its URL.
 * @throws StartError when the server does not become usable
 */
export async function startRedis(
  { dataDir, binary, secrets }: { dataDir: string; binary: string; secrets: Secrets },
  supervisor: Supervisor,
): Promise<string> {
  const directory = path.join(dataDir, 'redis');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  // The password is in a private file, because every user of the machine can see arguments.
  const config = path.join(dataDir, 'redis-server.conf');
  writePrivate(config, configOf(secrets.redisPassword));
  const port = await portOf(dataDir, 'redis-server');
  await supervisor.start({
    name: 'redis-server',
    binary,
    args: [config, '--dir', directory, '--port', String(port), '--save', '', ...SETTINGS.split(' ')],
    // The server prints this after it has read its append-only file.
    readyText: 'Ready to accept connections',
    logsValues: false,
  });
  return redisUrlOf(port, secrets.redisPassword);
}

/** Returns the URL of an embedded redis-server. */
export function redisUrlOf(port: number, password: string): string {
  return `redis://${USER}:${password}@127.0.0.1:${port}`;
}

function configOf(password: string): string {
  const renamed = ['CONFIG', 'MODULE', 'DEBUG'].map((command) => `rename-command ${command} ""`);
  return ['user default off', `user ${USER} on >${password} ${PERMISSIONS}`, ...renamed, ''].join('\n');
}
