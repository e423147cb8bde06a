import { setTimeout as sleep } from 'node:timers/promises';
import { type ClientSession, type Connection, mongo } from 'mongoose';
import { elapsedMs } from '../common/clock';
import { unavailable } from '../common/errors';
import { timeouts } from './timeouts';

/** Bounds of the retries of one transaction. */
export const transactionLimits = {
  attemptsMax: 8,
  durationMaxMs: 2000,
  /** So many are made however long each takes: on a busy machine the first alone may use up the time. */
  attemptsMin: 3,
  /** A commit is sent so often, and for so long, before its outcome is looked up; that too. */
  commitsMax: 12,
  commitMaxMs: timeouts.majorityMs,
  lookUpMaxMs: 1500,
} as const;

/** A guard did not hold: somebody else changed what this transaction had read. The caller reads again. */
export class GuardFailed extends Error {
  override readonly name = 'GuardFailed';
}

/** A transaction is known to have left no effect, though its commit was sent. The caller reads again. */
class NotCommitted extends Error {
  override readonly name = 'NotCommitted';
}

/** Nobody knows whether a transaction was committed: it must not be run again, and is answered with 503. */
export class CommitUnknown extends Error {
  override readonly name = 'CommitUnknown';
}

/** Tells, by reading in a session, whether what a transaction writes is there; of nobody else's doing. */
export type LookUp = (session: ClientSession) => Promise<boolean>;

/**
 * Runs `work` once in one transaction with majority, journaled writes, and commits it; the commit alone is repeated
 * while its outcome is unknown, then looked up. The one place that opens a session. Inside `work`, errors of the driver
 * are not caught and nothing but MongoDB happens.
 * @throws what `work` throws, or the driver's error; {@link isTransient} tells whether reading again and another
 *   attempt may succeed; CommitUnknown when it may or may not have taken effect
 */
export async function inTransaction<T>(
  db: Connection,
  work: (session: ClientSession) => Promise<T>,
  wasCommitted?: LookUp,
): Promise<T> {
  const session = await db.startSession();
  let isAway = false;
  try {
    begin(session, transactionLimits.commitMaxMs);
    const result = await work(session);
    await commit(session, wasCommitted);
    return result;
  } catch (error) {
    isAway = isUnreachable(error);
    throw error;
  } finally {
    // Aborts what is open. Nobody waits for a server that cannot be reached to hear of it.
    const ended = session.endSession();
    if (isAway) ended.catch(() => undefined);
    else await ended;
  }
}

function begin(session: ClientSession, commitMaxMs: number): void {
  session.startTransaction({
    readConcern: { level: 'snapshot' },
    writeConcern: { w: 'majority', journal: true, wtimeoutMS: commitMaxMs },
    maxCommitTimeMS: commitMaxMs,
  });
}

async function commit(session: ClientSession, wasCommitted: LookUp | undefined): Promise<void> {
  let attempts = 0;
  const cause = await repeatedly(transactionLimits.commitMaxMs, isInDoubt, () => {
    attempts += 1;
    return session.commitTransaction();
  });
  if (cause === undefined) return;
  // The server says that it was aborted; what the first attempt is refused by left no doubt before it.
  if (isTransient(cause) || (attempts === 1 && !isInDoubt(cause))) throw cause;
  if (!wasCommitted) throw new CommitUnknown('commit', { cause });
  await lookUp(session, wasCommitted);
}

/** Only an error of the server that is not marked refuses a commit for sure. */
function isInDoubt(error: unknown): boolean {
  if (!(error instanceof mongo.MongoServerError)) return true;
  return error.hasErrorLabel('UnknownTransactionCommitResult') || error instanceof mongo.MongoWriteConcernError;
}

/**
 * Looks up what became of the session's last transaction, in a new one of the same session: where it begins, the server
 * aborts the old one if that is still open, so that it cannot commit later. Its own commit says that a majority has what
 * was read.
 * @throws NotCommitted when the old one is not committed and never will be; CommitUnknown when that cannot be told now
 */
async function lookUp(session: ClientSession, wasCommitted: LookUp): Promise<void> {
  let isThere = false;
  const isPassing = (error: unknown) => isInDoubt(error) || isTransient(error);
  const cause = await repeatedly(transactionLimits.lookUpMaxMs, isPassing, async () => {
    begin(session, transactionLimits.lookUpMaxMs);
    try {
      isThere = await wasCommitted(session);
      await session.commitTransaction();
    } finally {
      if (session.inTransaction()) await session.abortTransaction();
    }
  });
  if (cause !== undefined) throw new CommitUnknown('look-up', { cause });
  if (!isThere) throw new NotCommitted();
}

/** The error of the last attempt; undefined when one succeeded. */
async function repeatedly(maxMs: number, isWorthIt: (error: unknown) => boolean, attempt: () => Promise<void>) {
  const endsAt = elapsedMs() + maxMs;
  for (let number = 1; ; number += 1) {
    try {
      await attempt();
      return undefined;
    } catch (error) {
      if (number >= transactionLimits.commitsMax || elapsedMs() >= endsAt || !isWorthIt(error)) return error;
      await sleep(Math.random() * 2 ** Math.min(number, 6));
    }
  }
}

/** Tells whether a failed transaction left no effect and may succeed when everything is read again. */
export function isTransient(error: unknown): boolean {
  if (error instanceof GuardFailed || error instanceof NotCommitted) return true;
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
  /** No attempt begins after this moment of `elapsedMs`. */
  endsAt?: number | undefined;
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
  const { endsAt = Number.POSITIVE_INFINITY } = options;
  const { now = () => 0, isWorthRetrying = isTransient, attemptsMax = transactionLimits.attemptsMax } = options;
  const startedAt = now();
  for (let number = 1; ; number += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isWorthRetrying(error)) throw error;
      if (elapsedMs() >= endsAt) throw contended();
      const { attemptsMin, durationMaxMs } = transactionLimits;
      const within = number < attemptsMin || (number < attemptsMax && now() - startedAt < durationMaxMs);
      if (!within && isUnreachable(error)) throw error;
      if (!within) throw contended();
      await sleep(Math.random() * 2 ** Math.min(number, 6));
    }
  }
}

function contended(): Error {
  return unavailable('Too many concurrent changes; retry later');
}
