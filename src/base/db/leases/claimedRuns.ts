import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { Clock } from '#base/common/clock';
import { type AsksTurn, createTurn, inFairOrder, type Open, type Turn } from './claimedTurns';
import {
  type Claimable,
  type Claimed,
  type OwnFilter,
  own,
  type ReturnedRun,
  take,
  tryToGiveBack,
} from './claimedWork';
import { isAlive, isOver, keepLease } from './lease';

/** A kind of work, and its limits. */
export interface ClaimOptions<W> {
  /** Where it is stored. */
  path: string;
  /** Reads a piece of it. */
  read(db: Connection, own: OwnFilter): Promise<W | null>;
  /** The statuses of work that waits or runs. That of work that runs is `Running`. */
  statuses: readonly string[];
  /** How a run goes back that another process may begin at once. */
  returnedStatus: string;
  /** After such a silence, by the clock of the database, another process takes a run over. */
  silentMaxMs: number;
  /** How often a run says that it lives. */
  aliveEveryMs: number;
  /** The most runs of a process. */
  atOnce: number;
  /** The most processes that may end while they run it. */
  attemptsMax: number;
  turn: Turn;
}

/** What claiming needs. */
export interface ClaimServices {
  db: Connection;
  clock: Clock;
}

/** How work ends, with further fields to store. */
type End = { status: string } & object;

/** What is stored of a run that goes back, so that any process may continue. */
export interface GoesBack {
  back: object;
}

/** What is done with a piece of work. */
export interface Job<W> {
  /**
   * Does it.
   * @param newTurn makes the question whether the run yields
   * @throws RunEnded when the run must end before its work does
   */
  work(record: W, newTurn: () => AsksTurn): Promise<End>;
  /** The end of work that too many processes did not survive. */
  givenUp(record: W): End;
  /** What becomes of work that failed. */
  failed(record: W, error: unknown): End | GoesBack;
  /** Is called when the end is stored. */
  ended?(record: W, end: End): Promise<void> | void;
}

/** What is run, and how. */
export interface NextOptions {
  /** The piece of work to run; by default any. */
  only?: ObjectId | undefined;
  /** Reads the time of its turn; only tests that cannot wait as long give their own. */
  elapsed?: (() => number) | undefined;
}

/** The runs of one kind of work in this process. */
export interface ClaimedRuns<W> {
  /**
   * Takes the work whose turn it is, does it while it says that it lives, and stores how it ends. A silent run is taken
   * over; only then a process has ended.
   * @returns false when nothing waits
   */
  runNext(services: ClaimServices, job: Job<W>, options?: NextOptions): Promise<boolean>;
  /** How much this process runs. */
  count(): number;
}

/** The most pieces of work among which the next one is chosen. */
const chosenAmong = 1000;

/**
 * Makes the runs of one kind of work: fair to orgs, with a new id for each run. A process never takes over its own run, even when its signs
 * of life did not arrive.
 */
export function createClaimedRuns<W extends Claimed & { attempts: number }>(options: ClaimOptions<W>): ClaimedRuns<W> {
  const { path, statuses, silentMaxMs, atOnce, returnedStatus } = options;
  const collection = (db: Connection) => db.collection<Claimable>(path);
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
    // A run of this process has not ended, even if its signs of life do not arrive.
    return inFairOrder(open, clock.now()).filter(({ run }) => !run || !runsHere.has(run.toHexString()));
  };
  /**
   * Lets any process continue with the work. When the store cannot be told now, the next look for work tells it. A process that
   * took over meanwhile did so because this one was silent; but it did not end, so this is no attempt that failed.
   */
  const giveBack = async (db: Connection, returned: ReturnedRun) => {
    const key = returned.own.run.toHexString();
    toGiveBack.set(key, returned);
    if (await tryToGiveBack(collection(db), returned, returnedStatus)) toGiveBack.delete(key);
  };
  const claim = async (services: ClaimServices, only?: ObjectId): Promise<W | undefined> => {
    const { db } = services;
    for (const returned of toGiveBack.values()) await giveBack(db, returned);
    for (const each of await waiting(services, only)) {
      const mine = await take(collection(db), services.clock.now(), each, options);
      if (!mine) continue;
      const key = mine.run.toHexString();
      runsHere.add(key);
      try {
        const record = await options.read(db, mine);
        // Without one, it was deleted, or stopped, meanwhile.
        if (!record) runsHere.delete(key);
        return record ?? undefined;
      } catch (error) {
        runsHere.delete(key);
        await giveBack(db, { own: mine, set: {} });
        throw error;
      }
    }
    return undefined;
  };
  const othersWait = async (services: ClaimServices) => runsHere.size >= atOnce && (await waiting(services)).length > 0;
  return {
    count: () => runsHere.size,
    async runNext(services, job, { only, elapsed } = {}) {
      const record = await claim(services, only);
      if (!record) return false;
      const newTurn = () => createTurn(options.turn, () => othersWait(services), elapsed);
      try {
        const back = await runClaimed(services, options, record, { job, newTurn });
        if (back) await giveBack(services.db, { own: own(record), set: back });
      } finally {
        runsHere.delete(own(record).run.toHexString());
      }
      return true;
    },
  };
}

interface Running<W> {
  job: Job<W>;
  newTurn(): AsksTurn;
}

/** Runs claimed work while it says that it lives. Returns what is stored when it goes back; undefined when it has ended. */
async function runClaimed<W extends Claimed & { attempts: number }>(
  { db, clock }: ClaimServices,
  { path, silentMaxMs, aliveEveryMs, attemptsMax }: ClaimOptions<W>,
  record: W,
  { job, newTurn }: Running<W>,
): Promise<object | undefined> {
  const collection = db.collection<Claimable>(path);
  const mine = own(record);
  const tellAlive = async () => (await collection.updateOne(mine, isAlive)).matchedCount === 1;
  const alive = keepLease({ lastsMs: silentMaxMs, renewedEveryMs: aliveEveryMs }, tellAlive);
  const finish = async (end: End) => {
    const now = clock.now();
    const update = { $set: { ...end, finishedAt: now, updatedAt: now }, $unset: { waiting: '' as const } };
    const { matchedCount } = await collection.updateOne(mine, update);
    if (matchedCount > 0) await job.ended?.(record, end);
    return undefined;
  };
  try {
    return await finish(record.attempts >= attemptsMax ? job.givenUp(record) : await job.work(record, newTurn));
  } catch (error) {
    const outcome = job.failed(record, error);
    return 'back' in outcome ? outcome.back : await finish(outcome);
  } finally {
    void alive.end();
  }
}
