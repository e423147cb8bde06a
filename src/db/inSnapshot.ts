import { type ClientSession, type Connection, mongo } from 'mongoose';

const attemptsMax = 5;

/** SnapshotTooOld, SnapshotUnavailable: the moment cannot be read (any more); a later one can. */
const snapshotGone = new Set<unknown>([239, 246]);

/** The options that every read of a snapshot passes on. */
export interface SnapshotOptions {
  session: ClientSession;
  /** Named for each read: the connection's own read concern would win over the session's. */
  readConcern: { level: 'snapshot' };
}

/**
 * Runs reads that all see the database at one moment, while commits go on beside them. Nothing is locked and nothing
 * is written; `read` must finish while MongoDB keeps that moment (half a minute here), and may run again.
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
