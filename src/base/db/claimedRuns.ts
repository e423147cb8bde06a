import { ObjectId } from 'bson';
import type { Collection, Connection } from 'mongoose';
import { type Clock, elapsedMs } from '#base/common/clock';
import { isAlive, isOver } from './lease';

/** A piece of long work in its record: what says whose turn it is, and whose it is. */
export interface Claimable {
  _id: ObjectId;
  org: ObjectId;
  status: string;
  /** The run that may continue; a new one for each. */
  run?: ObjectId;
  /** Processes that ended while they ran it, since the last progress, and their runs. */
  attempts: number;
  lostRuns?: ObjectId[];
  startedAt?: Date;
  /** When a worker took it last, and when its run last said that it lives. */
  takenAt?: Date;
  aliveAt?: Date;
  waiting?: { reason: string; nextTryAt: Date };
}

/** What decides whose turn it is. It runs when its run said lately that it lives. */
export type Open = Pick<Claimable, '_id' | 'org' | 'run' | 'takenAt' | 'waiting'> & { isSilent: boolean };

/** A run that this process has claimed. */
export type Claimed = Pick<Claimable, '_id' | 'org'> & { run?: ObjectId | undefined };

/** Where a kind of work is, and its limits. */
export interface ClaimOptions {
  collection(db: Connection): Collection<Claimable>;
  /** The statuses of work that waits or runs. That of work that runs is `Running`. */
  statuses: readonly string[];
  /** After such a silence, by the clock of the database, another process takes a run over. */
  silentMaxMs: number;
  /** The most runs of a process. */
  atOnce: number;
  /** How a run goes back that another process may begin at once. */
  backStatus: string;
}

/** What claiming needs. */
export interface ClaimServices {
  db: Connection;
  clock: Clock;
}

/** What is written when a run is given back. */
export type ReturnedRun = Claimed & { set?: Readonly<Record<string, unknown>> };

/** The runs of one kind of work in this process. */
export interface ClaimedRuns {
  /** Takes the work whose turn it is. A silent run is taken over; only then a process has ended. */
  claim(services: ClaimServices, only?: ObjectId): Promise<Claimed | undefined>;
  /** Tells whether work waits that this process cannot take, because it runs as much as it may. */
  othersWait(services: ClaimServices): Promise<boolean>;
  /** How much this process runs. */
  count(): number;
  /** Says that a run lives. */
  tellAlive(services: ClaimServices, claimed: Claimed): Promise<void>;
  /** Ends a run of this process that has ended its work. */
  forget(claimed: Claimed): void;
  /**
   * Lets any process continue with the work. When the store cannot be told now, it is told later. A process that took
   * over meanwhile did so because this one was silent; but it did not end, so this is no attempt that failed.
   */
  giveBack(services: Pick<ClaimServices, 'db'>, returned: ReturnedRun): Promise<void>;
}

/** The most pieces of work among which the next one is chosen. */
const chosenAmong = 1000;

/**
 * Makes the claims of one kind of work: fair to orgs, with a new id for each run, and never of a run of this process that
 * only could not say that it lives.
 */
export function createClaimedRuns(options: ClaimOptions): ClaimedRuns {
  const { collection, statuses, silentMaxMs, atOnce, backStatus } = options;
  /** The runs of this process, and those that it could not give back because the store was away: it still lives. */
  const runsHere = new Set<string>();
  const toGiveBack = new Map<string, ReturnedRun>();
  const waiting = async ({ db, clock }: ClaimServices, only?: ObjectId) => {
    const open = await collection(db)
      .find({ status: { $in: [...statuses] }, ...(only ? { _id: only } : {}) })
      .project<Open>({ org: 1, run: 1, isSilent: isOver('aliveAt', silentMaxMs), takenAt: 1, waiting: 1 })
      .sort({ _id: 1 })
      .limit(chosenAmong)
      .toArray();
    // A run of this process whose signs of life do not arrive has not ended.
    return inFairOrder(open, clock.now()).filter(({ run }) => !run || !runsHere.has(run.toHexString()));
  };
  const giveBack: ClaimedRuns['giveBack'] = async ({ db }, returned) => {
    if (!returned.run) return;
    const key = returned.run.toHexString();
    toGiveBack.set(key, returned);
    runsHere.delete(key);
    // When it fails, the next look for work tells it.
    if (await isReturned(collection(db), returned, backStatus)) toGiveBack.delete(key);
  };
  return {
    async claim(services, only) {
      for (const returned of toGiveBack.values()) await giveBack(services, returned);
      for (const each of await waiting(services, only)) {
        const claimed = await take(services, options, each);
        if (claimed?.run) runsHere.add(claimed.run.toHexString());
        if (claimed) return claimed;
      }
      return undefined;
    },
    othersWait: async (services) => runsHere.size >= atOnce && (await waiting(services)).length > 0,
    count: () => runsHere.size,
    async tellAlive({ db }, { _id, org, run }) {
      if (!run) return;
      await collection(db)
        .updateOne({ _id, org, run, status: 'Running' }, isAlive)
        .catch(() => undefined);
    },
    forget: ({ run }) => void (run && runsHere.delete(run.toHexString())),
    giveBack,
  };
}

/** Writes that a run is given back. False when the store cannot be told. */
async function isReturned(
  work: Collection<Claimable>,
  { _id, org, run, set }: ReturnedRun,
  backStatus: string,
): Promise<boolean> {
  if (!run) return true;
  const back = { $unset: { aliveAt: '', run: '' }, $set: { ...set, status: backStatus } } as const;
  try {
    const { matchedCount } = await work.updateOne({ _id, org, run, status: 'Running' }, back);
    if (matchedCount > 0) return true;
    await work.updateOne({ _id, org, lostRuns: run }, { $pull: { lostRuns: run }, $inc: { attempts: -1 } });
    return true;
  } catch {
    return false;
  }
}

/**
 * The work that waits, that whose turn it is first: that of an org of which the least runs, and of this what was taken
 * longest ago, or never.
 */
export function inFairOrder(open: readonly Open[], now: Date): Open[] {
  const running = new Map<string, number>();
  for (const each of open.filter(({ isSilent }) => !isSilent))
    running.set(each.org.toHexString(), runningOf(running, each) + 1);
  const mayBegin = ({ isSilent, waiting }: Open) => isSilent && !(waiting && waiting.nextTryAt > now);
  return open
    .filter(mayBegin)
    .sort(
      (one, other) =>
        runningOf(running, one) - runningOf(running, other) ||
        (one.takenAt?.getTime() ?? 0) - (other.takenAt?.getTime() ?? 0) ||
        one._id.toHexString().localeCompare(other._id.toHexString()),
    );
}

function runningOf(running: ReadonlyMap<string, number>, { org }: Open): number {
  return running.get(org.toHexString()) ?? 0;
}

async function take(
  { db, clock }: ClaimServices,
  { collection, statuses, silentMaxMs }: ClaimOptions,
  { _id, run: before }: Open,
): Promise<Claimed | undefined> {
  const now = clock.now();
  const run = new ObjectId();
  const lost = {
    $cond: [{ $eq: [{ $type: '$aliveAt' }, 'missing'] }, [], [{ $ifNull: ['$run', run] }]],
  };
  const lostRuns = { $concatArrays: [{ $ifNull: ['$lostRuns', []] }, lost] };
  const found = await collection(db).findOneAndUpdate(
    {
      _id,
      status: { $in: [...statuses] },
      run: before ?? { $exists: false },
      $expr: isOver('aliveAt', silentMaxMs),
    },
    [
      {
        $set: {
          run,
          aliveAt: '$$NOW',
          takenAt: now,
          startedAt: { $ifNull: ['$startedAt', now] },
          status: 'Running',
          attempts: { $add: ['$attempts', { $size: lost }] },
          lostRuns,
        },
      },
    ],
    { projection: { org: 1 } },
  );
  return found ? { _id, org: found.org, run } : undefined;
}

/** How long a run has its turn while others wait: so long, or so many times as long as it took to begin. */
export interface Turn {
  turnMs: number;
  perSkipped: number;
}

/**
 * Makes the question whether a run yields. It is asked for the first time when the run has come to what it has to do.
 * @param elapsed reads the time; only tests that cannot wait as long give their own
 */
export function createTurn(
  { turnMs, perSkipped }: Turn,
  othersWait: () => Promise<boolean>,
  elapsed: () => number = elapsedMs,
): () => Promise<boolean> {
  const startedAt = elapsed();
  let endsAt: number | undefined;
  return async () => {
    const now = elapsed();
    endsAt ??= startedAt + Math.max(turnMs, (now - startedAt) * perSkipped);
    return now >= endsAt && (await othersWait());
  };
}
