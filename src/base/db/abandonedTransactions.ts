import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import { elapsedMs } from '#base/common/clock';

/**
 * The application name of all processes of the service, unless the URI sets one. It tells their transactions apart from
 * those of other clients.
 */
export const appName = 'loyalty-service';

/**
 * How often open transactions are checked, how long a transaction is inactive before it counts as abandoned, and the
 * longest time of one check, in milliseconds. A transaction is abandoned when its process was killed or sleeps. Until
 * it is aborted, nobody else can change what it changed; by MongoDB's default that takes a minute.
 */
const lookEveryMs = 750;
const abandonedMs = 1500;
const lookMaxMs = 1000;

interface OpenTransaction {
  lsid: { id: unknown };
  transaction: { parameters: { txnNumber: unknown }; timeActiveMicros: unknown };
}

/**
 * Aborts transactions that processes of the service left open, also those of other processes. A process that was only
 * suspended finds its transaction aborted and runs it again. This needs no privilege: a user may see and end its own
 * sessions. A server may refuse even that. Then the log says so, and the server's `transactionLifetimeLimitSeconds` is
 * the bound.
 * @returns a handle that stops the checks
 */
export function startAbortingAbandonedTransactions(db: Connection, log: Logger): { close(): void } {
  let seen: Seen = new Map();
  let isLooking = false;
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    try {
      seen = await abortThose(db, seen);
    } catch (error) {
      if (isRefused(error)) {
        clearInterval(timer);
        log.warn(
          'This MongoDB user may not see its own sessions: what a killed process changed stays blocked for a minute',
        );
      }
      // After an error nothing is known of the transactions, so the next check starts again.
      seen = new Map();
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(() => void look(), lookEveryMs);
  timer.unref();
  return { close: () => clearInterval(timer) };
}

/** Open transactions by their state, with the time at which each was first seen in that state. */
type Seen = ReadonlyMap<string, number>;

/**
 * Aborts the transactions that have been in the same state for long, and returns all open ones. An answer may arrive
 * late. So the time counts from the answer of one check to the sending of a later one.
 */
async function abortThose(db: Connection, seen: Seen): Promise<Seen> {
  const sentAt = elapsedMs();
  const { appName } = db.getClient().options;
  const admin = db.getClient().db('admin');
  const open = await admin
    .aggregate<OpenTransaction>(
      [
        { $currentOp: { idleSessions: true, idleConnections: false } },
        { $match: { type: 'idleSession', appName, 'transaction.parameters.txnNumber': { $exists: true } } },
        { $project: { lsid: 1, 'transaction.parameters.txnNumber': 1, 'transaction.timeActiveMicros': 1 } },
      ],
      { readConcern: { level: 'local' }, maxTimeMS: lookMaxMs },
    )
    .toArray();
  const answeredAt = elapsedMs();
  const abandoned = open.filter((each) => sentAt - (seen.get(transactionState(each)) ?? sentAt) >= abandonedMs);
  if (abandoned.length > 0) await admin.command({ killSessions: abandoned.map(({ lsid: { id } }) => ({ id })) });
  return new Map(open.map(transactionState).map((state) => [state, seen.get(state) ?? answeredAt]));
}

function transactionState({ lsid, transaction: { parameters, timeActiveMicros } }: OpenTransaction): string {
  return [lsid.id, parameters.txnNumber, timeActiveMicros].map(String).join(' ');
}

/** Error codes: not authorized, and commands or stages that a hosted MongoDB service does not offer. */
const refusals = new Set<unknown>([13, 59, 40324, 8000]);

function isRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && refusals.has(error.code);
}
