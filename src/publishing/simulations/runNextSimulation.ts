import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage, failure } from '#base/common/failure';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { isTemporary } from '#base/db/isTemporary';
import { createClaimedRuns, type GoesBack } from '#base/db/leases/claimedRuns';
import type { AsksTurn } from '#base/db/leases/claimedTurns';
import { own, RunEnded } from '#base/db/leases/claimedWork';
import { isAlive } from '#base/db/leases/lease';
import { PointsOverflow } from '#engine/points/pointsOverflow';
import { SimulationTooLarge } from '#engine/rules/simulate/simulationTooLarge';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { type SimulationProgress, simulatePast } from './simulatePast';
import { type StoredSimulation, simulationResource } from './simulation';

type RunServices = Pick<Infrastructure, 'db' | 'clock' | 'log'>;

/**
 * Interval of signs of life, silence after which another process takes over, and most attempts. How many a process runs side
 * by side; for how long one has its turn when others wait, then the next one begins in addition; and the most in memory.
 */
export const runLimits = {
  aliveEveryMs: 1000,
  silentMaxMs: 30_000,
  attemptsMax: 3,
  atOnce: 3,
  turn: { turnMs: 10_000, perSkipped: 1 },
  inMemoryMax: 9,
} as const;

/** The simulations that this process runs. */
const simulationRuns = createClaimedRuns({
  ...runLimits,
  path: simulationResource.path,
  read: (db, mine) => collectionOf(db, simulationResource).findOne(mine),
  statuses: ['Queued', 'Running'],
  returnedStatus: 'Queued',
});

/** How a simulation ends. */
type End = Pick<StoredSimulation, 'status'> & Partial<Pick<StoredSimulation, 'result' | 'error' | 'fault'>>;

/**
 * Runs the next simulation. When its process ended, it is started again; after three times it fails. Starting again is
 * safe, since a simulation only reads. While others wait, one that has had its turn lets the next begin, and pauses.
 * @param elapsed reads the time of its turn; only tests that cannot wait as long give their own
 * @returns false when no simulation waits
 */
export async function runNextSimulation(
  services: RunServices,
  signal?: AbortSignal,
  elapsed?: () => number,
): Promise<boolean> {
  const begun: Promise<unknown>[] = [];
  const runAnother = () => {
    const next = runNextSimulation(services, signal, elapsed).catch((err: unknown) =>
      services.log.error({ err }, 'looking for simulations failed'),
    );
    begun.push(next);
    return next;
  };
  const logOf = ({ requestId, _id, attempts }: StoredSimulation) =>
    services.log.child({ requestId, simulation: _id, attempts });
  const hasRun = await simulationRuns.runNext(
    services,
    {
      work: (simulation, newTurn) =>
        run(services, simulation, { signal, letRun: letting(signal, newTurn, runAnother) }),
      givenUp(simulation): End {
        logOf(simulation).error('simulation given up');
        return { status: 'Failed', ...failure(message('simulations.begunInVain')) };
      },
      failed: (simulation, error) => judgeSimulationFailure(logOf(simulation), simulation, error),
      ended(simulation, { status }) {
        if (status === 'Done') logOf(simulation).info('simulation done');
      },
    },
    { elapsed },
  );
  await Promise.all(begun);
  return hasRun;
}

/**
 * Makes the function that lets the next simulation begin when this one has had its turn. This one pauses until the next
 * has ended, or for one turn: its state is in memory, so it cannot continue elsewhere. Then both continue side by side.
 */
function letting(signal: AbortSignal | undefined, newTurn: () => AsksTurn, runAnother: () => Promise<unknown>) {
  let isOver = newTurn();
  return async () => {
    if (simulationRuns.count() >= runLimits.inMemoryMax || !(await isOver())) return;
    const ended = new AbortController();
    const stops = AbortSignal.any(signal ? [signal, ended.signal] : [ended.signal]);
    const pause = sleep(runLimits.turn.turnMs, undefined, { signal: stops }).catch(() => undefined);
    await Promise.race([runAnother(), pause]);
    ended.abort();
    isOver = newTurn();
  };
}

interface Running {
  signal: AbortSignal | undefined;
  letRun(): Promise<void>;
}

async function run(services: RunServices, simulation: StoredSimulation, running: Running): Promise<End> {
  const { db, clock } = services;
  const { org, drafts, program, programs, from, to, sample, limit } = simulation;
  const result = await simulatePast(db, {
    clock,
    org,
    changed: drafts,
    scope: { programs: programs ?? (program && [program]), from, to, sample, limit },
    until: simulation.createdAt,
    onProgress: heartbeat(services, simulation, running),
  });
  return { status: 'Done', result };
}

/** Makes a function that writes the progress at intervals. It throws {@link RunEnded} when the run must end. */
function heartbeat({ db, clock }: RunServices, simulation: StoredSimulation, { signal, letRun }: Running) {
  let last = Number.NEGATIVE_INFINITY;
  return async (progress: SimulationProgress) => {
    if (signal?.aborted) throw new RunEnded();
    const isLast = progress.read === progress.total;
    const now = clock.now();
    if (!isLast && now.getTime() - last < runLimits.aliveEveryMs) return;
    last = now.getTime();
    const update = { ...isAlive, $set: { progress } };
    const { matchedCount } = await collectionOf(db, simulationResource).updateOne(own(simulation), update);
    if (matchedCount === 0) throw new RunEnded();
    if (!isLast) await letRun();
  };
}

/** Whether a simulation begins again, or has failed. */
function judgeSimulationFailure(
  log: Infrastructure['log'],
  { attempts }: StoredSimulation,
  error: unknown,
): End | GoesBack {
  // Another process may start it at once, and this is no attempt that failed.
  if (error instanceof RunEnded) return { back: {} };
  // A simulation does not fail because the store became unavailable. But one that never gets an answer must end, too.
  if (isTemporary(error)) {
    log.warn({ err: error }, 'a simulation waits');
    return { back: { attempts: attempts + 1 } };
  }
  const isTooLarge = error instanceof SimulationTooLarge || error instanceof PointsOverflow;
  if (!isTooLarge) log.error({ err: error }, 'simulation failed');
  return { status: 'Failed', ...failure(isTooLarge ? error.fault : errorMessage(error)) };
}
