import { type ClientSession, type Connection, mongo } from 'mongoose';
import { ServiceError } from '../errors';

/** Bounds of the retries of one transaction (RELIABILITY "Faults"). */
export const transactionLimits = {
  attemptsMax: 8,
  durationMaxMs: 2000,
  /** So many are made however long each takes: on a busy machine the first alone may use up the time. */
  attemptsMin: 3,
  commitMaxMs: 4000,
} as const;

/** A guard did not hold: somebody else changed what this transaction had read. The caller reads again. */
export class GuardFailed extends Error {
  override readonly name = 'GuardFailed';
}

/**
 * Runs `work` once in one transaction with majority, journaled writes, and commits it; the commit alone is repeated
 * while its outcome is unknown. The one place that opens a session. Inside `work`, errors of the driver are not caught
 * and nothing but MongoDB happens.
 * @throws what `work` throws, or the driver's error; {@link isTransient} tells whether reading again and another
 *   attempt may succeed
 */
export async function inTransaction<T>(db: Connection, work: (session: ClientSession) => Promise<T>): Promise<T> {
  const session = await db.startSession();
  try {
    session.startTransaction({
      readConcern: { level: 'snapshot' },
      writeConcern: { w: 'majority', journal: true },
      maxCommitTimeMS: transactionLimits.commitMaxMs,
    });
    const result = await work(session).catch(async (error: unknown) => {
      if (session.inTransaction()) await session.abortTransaction();
      throw error;
    });
    await commit(session);
    return result;
  } finally {
    await session.endSession();
  }
}

async function commit(session: ClientSession): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await session.commitTransaction();
      return;
    } catch (error) {
      const unknown = error instanceof mongo.MongoError && error.hasErrorLabel('UnknownTransactionCommitResult');
      if (!unknown || attempt >= transactionLimits.attemptsMax) throw error;
    }
  }
}

/** Tells whether a failed transaction left no effect and may succeed when everything is read again. */
export function isTransient(error: unknown): boolean {
  if (error instanceof GuardFailed) return true;
  return error instanceof mongo.MongoError && error.hasErrorLabel('TransientTransactionError');
}

/** Tells whether a transaction left no effect because another was at the same document. */
export function isWriteConflict(error: unknown): boolean {
  return error instanceof mongo.MongoServerError && error.code === 112;
}

/** Tells whether a write met a unique index. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof mongo.MongoServerError && error.code === 11000;
}

/** Tells whether an operation took longer than its `maxTimeMS`. */
export function isTooSlow(error: unknown): boolean {
  return error instanceof mongo.MongoServerError && error.code === 50;
}

/** Tells whether the database cannot be reached or has no primary: trying again at once would not help. */
export function isUnreachable(error: unknown): boolean {
  return (
    error instanceof mongo.MongoNetworkError ||
    error instanceof mongo.MongoServerSelectionError ||
    error instanceof mongo.MongoNotConnectedError ||
    error instanceof mongo.MongoTopologyClosedError
  );
}

/** How a failing attempt is repeated. */
export interface RetryOptions {
  /** Milliseconds of the clock; bounds the whole. Absent: attempts alone are the bound. */
  now?(): number;
  /** Which failures are worth another attempt; default {@link isTransient}. */
  isWorthRetrying?(error: unknown): boolean;
  /** Most attempts; default {@link transactionLimits}. */
  attemptsMax?: number;
}

/**
 * Repeats `attempt` (which reads, decides and commits) while its failure is worth it, within
 * {@link transactionLimits}, with a growing random pause so that two processes that collided do not collide again.
 * @throws what `attempt` throws when that is not worth a retry or the database is unreachable; ServiceError 1310 when
 *   the bounds are reached
 */
export async function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { now = () => 0, isWorthRetrying = isTransient, attemptsMax = transactionLimits.attemptsMax } = options;
  const startedAt = now();
  for (let number = 1; ; number += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isWorthRetrying(error)) throw error;
      const { attemptsMin, durationMaxMs } = transactionLimits;
      const within = number < attemptsMin || (number < attemptsMax && now() - startedAt < durationMaxMs);
      if (!within && isUnreachable(error)) throw error;
      if (!within) throw contended();
      await pause(Math.random() * 2 ** Math.min(number, 6));
    }
  }
}

function contended(): ServiceError {
  return new ServiceError('unavailable', 'Too many concurrent changes; retry later', {
    headers: { 'Retry-After': '1' },
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
