import { homedir } from 'node:os';
import path from 'node:path';
import { progressTo } from '#base/common/progressTo';
import type { EmbeddedOptions } from '#operations/embedded/startEmbedded';

/**
 * Options of embedded servers in tests: binaries from the same places as the service, and MongoDB's test commands on.
 */
export function embeddedOptions(dataDir: string): EmbeddedOptions {
  const { env } = process;
  return {
    dataDir,
    cacheDir: path.join(env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), 'loyalty-service'),
    path: env.PATH ?? '',
    mongodBinary: env.MONGOD_BINARY,
    redisServerBinary: env.REDIS_SERVER_BINARY,
    mongodArgs: ['--setParameter', 'enableTestCommands=1'],
    onProgress: progressTo(process.stderr),
  };
}
