import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Connection } from 'mongoose';
import { progressTo } from '#base/common/progressTo';
import { findRunning } from '#operations/embedded/findRunning';
import { startEmbedded } from '#operations/embedded/startEmbedded';
import type { Config } from '#platform/infrastructure/config';
import { CommandError, withStore } from './withDatabase';

/** Whether a data directory without a database is given a new one. */
interface StoreOptions {
  makesNew: boolean;
}

/**
 * Opens the service's database as it is, also of an embedded service that does not run: then its mongod runs for the
 * time of the command.
 * @throws CommandError when there is no database, and none may be made
 */
export async function withOwnStore<T>(
  config: Config,
  { makesNew }: StoreOptions,
  work: (db: Connection) => Promise<T>,
): Promise<T> {
  if (config.MONGODB_URI !== undefined || findRunning(config.dataDir)?.mongodbUri) return withStore(config, work);
  if (!makesNew && !existsSync(path.join(config.dataDir, 'mongodb'))) {
    throw new CommandError(
      `No database: set MONGODB_URI, or DATA_DIR to that of a service (${config.dataDir} has none)`,
    );
  }
  const { dataDir, cacheDir, MONGOD_BINARY: mongodBinary, PATH } = config;
  const stores = await startEmbedded({
    dataDir,
    cacheDir,
    path: PATH,
    mongodBinary,
    // Redis is not needed.
    redisUrl: 'redis://not-used',
    onProgress: progressTo(process.stderr),
  });
  try {
    return await withStore({ ...config, MONGODB_URI: stores.mongodbUri }, work);
  } finally {
    await stores.stop();
  }
}
