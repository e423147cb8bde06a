import { type ClientSession, type Connection, mongo } from 'mongoose';

const attemptsMax = 5;

/** SnapshotTooOld, SnapshotUnavailable: this instant cannot be read, or no longer; a later instant can. */
const snapshotGone = new Set<unknown>([239, 246]);

/** The options that every read of a snapshot passes on. */
export interface SnapshotOptions {
  session: ClientSession;
  /** Given for each read, because the connection's own read concern would override the session's. */
  readConcern: { level: 'snapshot' };
}

/**
 * Runs reads that all see the database at one point in time, while other commits continue. It locks nothing and writes
 * nothing. `read` may run again. It must finish while MongoDB can still read that instant, which is half a minute for
 * the embedded mongod.
 */
export async function inSnapshot<T>(db: Connection, read: (options: SnapshotOptions) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const session = await db.startSession({ snapshot: true });
    try {
      return await read({ session, readConcern: { level: 'snapshot' } });
    } catch (error) {
      const gone = error instanceof mongo.MongoServerError && snapshotGone.has(error.code);
      if (!gone || attempt >= attemptsMax) throw error;
    } finally {
      await session.endSession();
    }
  }
}
