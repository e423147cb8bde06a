import { type ClientSession, type Connection, mongo } from 'mongoose';
import { ServiceError } from '../errors';

/** Bounds of the retries of one transaction (RELIABILITY "Faults"). */
export const transactionLimits = { attemptsMax: 8, durationMaxMs: 2000, commitMaxMs: 4000 } as const;

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

/** Tells whether a write met a unique index. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof mongo.MongoServerError && error.code === 11000;
}

/**
 * Repeats `attempt` (which reads, decides and commits) while its failure is transient, within
 * {@link transactionLimits}, with a growing random pause.
 * @throws ServiceError 1310 when the bounds are reached
 */
export async function withRetries<T>(now: () => number, attempt: (number: number) => Promise<T>): Promise<T> {
  const startedAt = now();
  for (let number = 1; ; number += 1) {
    try {
      return await attempt(number);
    } catch (error) {
      if (!isTransient(error)) throw error;
      const spent = now() - startedAt;
      if (number >= transactionLimits.attemptsMax || spent >= transactionLimits.durationMaxMs) {
        throw new ServiceError('unavailable', 'Too many concurrent changes; retry later', {
          headers: { 'Retry-After': '1' },
        });
      }
      await pause(Math.random() * 2 ** Math.min(number, 6));
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
