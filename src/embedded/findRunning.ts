import path from 'node:path';
import { fileOf } from './dataFiles';
import { readPort } from './freePort';
import { readAlive } from './processIdentity';
import { readSecrets } from './secrets';
import type { ServiceUris } from './startEmbedded';
import { mongodbUriOf } from './startMongod';
import { redisUrlOf } from './startRedis';

/**
 * Returns the connection strings of the embedded servers of a data directory, with credentials, for commands that run
 * beside the service. Returns undefined when no server runs.
 */
export function findRunning(dataDir: string): Partial<ServiceUris> | undefined {
  const folder = path.resolve(dataDir);
  const [mongod, redis] = ['mongod', 'redis-server'].map(
    (name) => readAlive(fileOf(folder, name, 'pid')) && readPort(folder, name),
  );
  const { mongodPassword = '', redisPassword = '' } = readSecrets(folder) ?? {};
  if (!mongod && !redis) return undefined;
  return {
    ...(mongod && { mongodbUri: mongodbUriOf(mongod, mongodPassword) }),
    ...(redis && { redisUrl: redisUrlOf(redis, redisPassword) }),
  };
}
