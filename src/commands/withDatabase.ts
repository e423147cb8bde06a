import type { Connection } from 'mongoose';
import type { Config } from '../backing/config';
import { connect, prepareCollections } from '../db/connect';
import { findRunning } from '../embedded/findRunning';
import { resources } from '../services/resources';

/** An error that ends a command. The user sees its message in one line, without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/**
 * Opens the service's database for one command and closes it afterwards.
 * @throws CommandError when MONGODB_URI is not set and no service runs in DATA_DIR
 */
export async function withDatabase<T>(
  config: Pick<Config, 'MONGODB_URI' | 'dataDir'>,
  work: (db: Connection) => Promise<T>,
): Promise<T> {
  const uri = config.MONGODB_URI ?? findRunning(config.dataDir)?.mongodbUri;
  if (uri === undefined) {
    throw new CommandError(
      `No database: set MONGODB_URI, or start the service first (DATA_DIR is ${config.dataDir}, and nothing runs there)`,
    );
  }
  const db = await connect(uri, { maxPoolSize: 2 });
  try {
    await prepareCollections(db, resources);
    return await work(db);
  } finally {
    await db.destroy();
  }
}
