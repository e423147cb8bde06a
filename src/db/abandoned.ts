import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import { elapsedMs } from '../common/clock';

/** How all processes of the service call themselves where the URI says nothing, so that their transactions are told from others'. */
export const appName = 'loyalty-service';

/**
 * How often open transactions are looked at, and how long nothing happens in one that was left by a process that was killed,
 * or sleeps; nobody else can change what it changed until it is aborted, by default for a minute.
 */
const lookEveryMs = 750;
const abandonedMs = 1500;
const lookMaxMs = 1000;

interface OpenTransaction {
  lsid: { id: unknown };
  transaction: { parameters: { txnNumber: unknown }; timeActiveMicros: unknown };
}

/**
 * Aborts transactions that processes of the service have left open, those of other processes too. One that only slept
 * finds its transaction gone and begins it again. Needs no privilege: a user sees and ends its own sessions. Where the
 * server refuses even that, its `transactionLifetimeLimitSeconds` is the bound, and the log says so.
 * @returns what ends the looking
 */
export function startAbortingAbandoned(db: Connection, log: Logger): { close(): void } {
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
        log.warn('MongoDB does not let its user see own sessions: what a killed process holds is free after a minute');
      }
      // Of a store that is away everything is gone or unchanged; the next look tells.
      seen = new Map();
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(() => void look(), lookEveryMs);
  timer.unref();
  return { close: () => clearInterval(timer) };
}

/** Open transactions by their state, with when each was first known to be in it. */
type Seen = ReadonlyMap<string, number>;

/**
 * Aborts the transactions that have been in their state for long, and gives all there are. A look may be answered late, so
 * the time runs from the answer to one look to the sending of another.
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
  const abandoned = open.filter((each) => sentAt - (seen.get(stateOf(each)) ?? sentAt) >= abandonedMs);
  if (abandoned.length > 0) await admin.command({ killSessions: abandoned.map(({ lsid: { id } }) => ({ id })) });
  return new Map(open.map(stateOf).map((state) => [state, seen.get(state) ?? answeredAt]));
}

function stateOf({ lsid, transaction: { parameters, timeActiveMicros } }: OpenTransaction): string {
  return [lsid.id, parameters.txnNumber, timeActiveMicros].map(String).join(' ');
}

/** Unauthorized, and unknown commands or stages of servers that are let. */
const refusals = new Set<unknown>([13, 59, 40324, 8000]);

function isRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && refusals.has(error.code);
}
