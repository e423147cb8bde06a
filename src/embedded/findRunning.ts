import path from 'node:path';
import { readSecrets } from './secrets';
import { findServer } from './serverProcess';
import type { ServiceUris } from './startEmbedded';
import { mongodbUriOf } from './startMongod';
import { redisUrlOf } from './startRedis';

/**
 * Gives where the embedded servers of a data directory are, with the credentials they ask for, for commands beside a
 * running service; undefined when none runs.
 */
export function findRunning(dataDir: string): Partial<ServiceUris> | undefined {
  const directory = path.resolve(dataDir);
  const mongod = findServer(directory, 'mongod');
  const redis = findServer(directory, 'redis-server');
  if (!mongod && !redis) return undefined;
  const { mongodPassword = '', redisPassword = '' } = readSecrets(directory) ?? {};
  return {
    ...(mongod && { mongodbUri: mongodbUriOf(mongod, mongodPassword) }),
    ...(redis && { redisUrl: redisUrlOf(redis, redisPassword) }),
  };
}
