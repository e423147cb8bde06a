import { setTimeout as sleep } from 'node:timers/promises';
import { type ClientSession, type Connection, mongo } from 'mongoose';
import { elapsedMs } from '#base/common/clock';
import { unavailable } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { boundSession } from './boundConnection';
import { timeouts } from './timeouts';

/** Bounds of the retries of one transaction. */
export const transactionLimits = {
  attemptsMax: 8,
  durationMaxMs: 2000,
  /** The attempts that are made however long each takes. On a busy machine the first alone may use up the time. */
  attemptsMin: 3,
  /**
   * How often, and for how many milliseconds, a commit is sent before its outcome is looked up. The look-up may be sent
   * as often.
   */
  commitsMax: 12,
  commitMaxMs: timeouts.majorityMs,
  lookUpMaxMs: 1500,
} as const;

/** A guard did not match: another request changed what this transaction had read. The caller reads again. */
export class GuardFailed extends Error {
  override readonly name = 'GuardFailed';
}

/** A transaction certainly left no effect, although its commit was sent. The caller reads again. */
class NotCommitted extends Error {
  override readonly name = 'NotCommitted';
}

/** It is unknown whether a transaction was committed. It must not run again, and the request is answered with 503. */
export class CommitUnknown extends Error {
  override readonly name = 'CommitUnknown';
}

/**
 * Tells, by reading in a session, whether the writes of a transaction are stored. It looks for something that no other
 * transaction writes.
 */
export type LookUp = (session: ClientSession) => Promise<boolean>;

/** What a use case calls with what it has made, at the end of the transaction that makes it. */
export type InCommit<T> = (made: T, session: ClientSession) => Promise<void>;

/** Calls both, one after the other. */
export function inBoth<T>(first: InCommit<T> | undefined, second: InCommit<T> | undefined): InCommit<T> | undefined {
  if (!first || !second) return first ?? second;
  return async (made, session) => {
    await first(made, session);
    await second(made, session);
  };
}

/**
 * Runs `work` once in one transaction with majority, journaled writes, and commits it. While the outcome of the commit
 * is unknown, only the commit is repeated; then the outcome is looked up. No other function opens a transaction. `work`
 * must not catch errors of the driver, and must do nothing outside MongoDB. On a connection that is bound to a session
 * (`boundTo`), `work` runs in the transaction of that session, and whoever opened it commits it.
 * @throws what `work` throws, or the driver's error; {@link isTransient} tells whether another attempt with new reads
 *   may succeed; CommitUnknown when the transaction may or may not have taken effect
 */
export async function inTransaction<T>(
  db: Connection,
  work: (session: ClientSession) => Promise<T>,
  wasCommitted?: LookUp,
): Promise<T> {
  const open = boundSession(db);
  if (open) return work(open);
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
    // Ending the session aborts an open transaction. Nobody waits for that when the server cannot be reached.
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
  // The server says that it aborted the transaction, or it surely refused the first attempt to commit.
  if (isTransient(cause) || (attempts === 1 && !isInDoubt(cause))) throw cause;
  if (!wasCommitted) throw new CommitUnknown('commit', { cause });
  await lookUp(session, wasCommitted);
}

/** Tells whether the outcome of a commit is unknown. Only a server error without a mark surely refuses a commit. */
function isInDoubt(error: unknown): boolean {
  if (!(error instanceof mongo.MongoServerError)) return true;
  return error.hasErrorLabel('UnknownTransactionCommitResult') || error instanceof mongo.MongoWriteConcernError;
}

/**
 * Looks up the outcome of the session's last transaction, in a new transaction of the same session. When the new one
 * begins, the server aborts the old one if that is still open, so that it cannot commit later. The commit of the new
 * one confirms that a majority has what it read.
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

/** Repeats an attempt within limits. Returns the error of the last attempt; undefined when one succeeded. */
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

/** Tells whether a transaction left no effect because another transaction changed the same document. */
export function isWriteConflict(error: unknown): boolean {
  return error instanceof mongo.MongoServerError && error.code === 112;
}

/** Tells whether a write violated a unique index. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof mongo.MongoServerError && error.code === 11000;
}

/** Tells whether a transaction left no effect because another one changed or made the same record first. */
export function hasLostRace(error: unknown): boolean {
  return isTransient(error) || isDuplicateKey(error);
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
  /** The time in milliseconds, to bound all attempts together. Absent: only the number of attempts is bounded. */
  now?(): number;
  /** No attempt begins after this instant of `elapsedMs`. */
  endsAt?: number | undefined;
  /** Which failures are worth another attempt; default {@link isTransient}. */
  isWorthRetrying?(error: unknown): boolean;
  /** Most attempts; default {@link transactionLimits}. */
  attemptsMax?: number;
}

/**
 * Repeats `attempt` (which reads, decides and commits) within {@link transactionLimits}, while its failure is worth
 * another attempt. A growing random pause keeps two processes that collided from colliding again.
 * @throws what `attempt` throws when that is not worth a retry or the database is unreachable; ServiceError 1310 when
 *   the limits are reached
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
      if (elapsedMs() >= endsAt) throw contended(error);
      const { attemptsMin, durationMaxMs } = transactionLimits;
      const within = number < attemptsMin || (number < attemptsMax && now() - startedAt < durationMaxMs);
      if (!within && isUnreachable(error)) throw error;
      if (!within) throw contended(error);
      await sleep(Math.random() * 2 ** Math.min(number, 6));
    }
  }
}

function contended(cause: unknown): Error {
  return Object.assign(unavailable(message('http.tooManyChanges')), { cause });
}
