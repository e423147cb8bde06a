import path from 'node:path';
import type { ServerName } from './binaries/binaryKind';
import { pidFile } from './dataFiles';
import { readPort } from './freePort';
import { mongodbUriOf } from './mongod';
import { readAlive } from './processIdentity';
import { redisUrlOf } from './redisServer';
import { readSecrets } from './secrets';
import type { ServiceUris } from './startEmbedded';

/**
 * Gives where the embedded servers of a data directory are, with the credentials they ask for, for commands beside a
 * running service; undefined when none runs.
 */
export function findRunning(dataDir: string): Partial<ServiceUris> | undefined {
  const directory = path.resolve(dataDir);
  const portOf = (name: ServerName) => readAlive(pidFile(directory, name)) && readPort(directory, name);
  const [mongod, redis] = [portOf('mongod'), portOf('redis-server')];
  if (!mongod && !redis) return undefined;
  const { mongodPassword = '', redisPassword = '' } = readSecrets(directory) ?? {};
  return {
    ...(mongod && { mongodbUri: mongodbUriOf(mongod, mongodPassword) }),
    ...(redis && { redisUrl: redisUrlOf(redis, redisPassword) }),
  };
}
