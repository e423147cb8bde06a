import type { Connection } from 'mongoose';
import { systemClock } from '#base/common/clock';
import { connect } from '#base/db/connect';
import { largeFrom, prepareCollections } from '#base/db/prepareCollections';
import { findRunning } from '#operations/embedded/findRunning';
import { migrateNew } from '#operations/migrations/migrate';
import type { Config } from '#platform/infrastructure/config';
import { resources } from '#server/services/resources';

/** An error that ends a command. The user sees its message in one line, without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message);
  }
}

/** The settings that say where the database is. */
export type DatabaseConfig = Pick<Config, 'MONGODB_URI' | 'dataDir'>;

/**
 * Opens the service's database for one command and closes it afterwards.
 * @throws CommandError when MONGODB_URI is not set and no service runs in DATA_DIR, or an upgrade has to come first
 */
export async function withDatabase<T>(config: DatabaseConfig, work: (db: Connection) => Promise<T>): Promise<T> {
  return withStore(config, async (db) => {
    const pending = await migrateNew(db, systemClock);
    if (pending.length > 0) {
      throw new CommandError(
        'An earlier version wrote this database: start the service, or run npm run migrate -- up, before this command',
      );
    }
    await prepareCollections(db, resources, { largeFrom });
    return work(db);
  });
}

/** Most connections of a command. `reconcile` reads members, and meanwhile the rest of an org; others need one or two. */
const connectionsMax = 6;

/**
 * Opens the service's database as it is, for a command that looks at it or upgrades it, and closes it afterwards.
 * @throws CommandError when MONGODB_URI is not set and no service runs in DATA_DIR
 */
export async function withStore<T>(config: DatabaseConfig, work: (db: Connection) => Promise<T>): Promise<T> {
  const db = await connect(requireUri(config), { maxPoolSize: connectionsMax });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/** @throws CommandError when MONGODB_URI is not set and no service runs in DATA_DIR */
export function requireUri({ MONGODB_URI, dataDir }: DatabaseConfig): string {
  const uri = MONGODB_URI ?? findRunning(dataDir)?.mongodbUri;
  if (uri !== undefined) return uri;
  throw new CommandError(
    `No database: set MONGODB_URI, or start the service first (DATA_DIR is ${dataDir}, and nothing runs there)`,
  );
}
