import assert from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import { createTurn } from '#base/db/claimedRuns';
import { collectionOf } from '#base/db/collections';
import { isTemporary } from '#base/db/isTemporary';
import { isAlive } from '#base/db/lease';
import { PointsOverflow } from '#engine/points/pointsOverflow';
import { SimulationTooLarge } from '#engine/rules/simulate/simulationTooLarge';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { claimSimulation, runLimits, simulationRuns } from './claimSimulation';
import { type SimulationProgress, simulatePast } from './simulatePast';
import { type StoredSimulation, simulationResource } from './simulation';

type RunServices = Pick<Infrastructure, 'db' | 'clock' | 'log'>;

/** Thrown to stop a run: its record was deleted, another run took over, or the process ends. */
class Stopped extends Error {
  override readonly name = 'Stopped';
}

/**
 * Runs the simulation whose turn it is. One whose process ended is started again; after three ends it fails. Starting again
 * is safe, since a simulation only reads. While others wait, one that has had its turn lets the next begin, and pauses.
 * @param elapsed reads the time of its turn; only tests that cannot wait as long give their own
 * @returns false when no simulation waits
 */
export async function runNextSimulation(
  services: RunServices,
  signal?: AbortSignal,
  elapsed?: () => number,
): Promise<boolean> {
  const simulation = await claimSimulation(services);
  if (!simulation) return false;
  const { requestId, _id } = simulation;
  const log = services.log.child({ requestId, simulation: _id });
  const alive = setInterval(() => void simulationRuns.tellAlive(services, simulation), runLimits.aliveEveryMs);
  const others = createLetting(services, signal, elapsed);
  try {
    await runClaimed({ ...services, log }, simulation, { signal, letOthersRun: others.letRun });
  } finally {
    clearInterval(alive);
    simulationRuns.forget(simulation);
    await others.ended();
  }
  return true;
}

/**
 * Makes what lets the next simulation begin when this one has had its turn. This one pauses until the next has ended,
 * or for one turn: its state is in memory, so it cannot continue elsewhere. Then both continue side by side.
 */
function createLetting(services: RunServices, signal: AbortSignal | undefined, elapsed: (() => number) | undefined) {
  const newTurn = () => createTurn(runLimits.turn, () => simulationRuns.othersWait(services), elapsed);
  const begun: Promise<unknown>[] = [];
  let isOver = newTurn();
  return {
    async letRun() {
      if (simulationRuns.count() >= runLimits.inMemoryMax || !(await isOver())) return;
      const next = runNextSimulation(services, signal, elapsed).catch((err: unknown) =>
        services.log.error({ err }, 'looking for simulations failed'),
      );
      begun.push(next);
      const ended = new AbortController();
      const stops = AbortSignal.any(signal ? [signal, ended.signal] : [ended.signal]);
      await Promise.race([next, sleep(runLimits.turn.turnMs, undefined, { signal: stops }).catch(() => undefined)]);
      ended.abort();
      isOver = newTurn();
    },
    ended: () => Promise.all(begun),
  };
}

interface Running {
  signal: AbortSignal | undefined;
  letOthersRun(): Promise<void>;
}

async function runClaimed(services: RunServices, simulation: StoredSimulation, running: Running): Promise<void> {
  const { attempts } = simulation;
  if (attempts >= runLimits.attemptsMax) {
    await finish(services, simulation, {
      status: 'Failed',
      error: 'It was begun three times: its process ended, or the stores went away, while it ran',
    });
    services.log.error({ attempts }, 'simulation given up');
    return;
  }
  try {
    await run(services, simulation, running);
    services.log.info({ attempts }, 'simulation done');
  } catch (error) {
    await giveUp(services, simulation, error);
  }
}

async function run(services: RunServices, simulation: StoredSimulation, running: Running) {
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
  await finish({ db, clock }, simulation, { status: 'Done', result });
}

/** Makes a function that writes the progress at intervals. It throws {@link Stopped} when the run must stop. */
function heartbeat({ db, clock }: RunServices, simulation: StoredSimulation, { signal, letOthersRun }: Running) {
  let last = Number.NEGATIVE_INFINITY;
  return async (progress: SimulationProgress) => {
    if (signal?.aborted) throw new Stopped();
    const isLast = progress.read === progress.total;
    const now = clock.now();
    if (!isLast && now.getTime() - last < runLimits.aliveEveryMs) return;
    last = now.getTime();
    const update = { ...isAlive, $set: { progress } };
    const { matchedCount } = await collectionOf(db, simulationResource).updateOne(own(simulation), update);
    if (matchedCount === 0) throw new Stopped();
    if (!isLast) await letOthersRun();
  };
}

/** The filter for the record while it belongs to this run. */
function own({ _id, org, run }: StoredSimulation) {
  assert(run, 'a run has an id');
  return { _id, org, run, status: 'Running' as const };
}

async function finish(
  { db, clock }: { db: Connection; clock: Infrastructure['clock'] },
  simulation: StoredSimulation,
  end: Pick<StoredSimulation, 'status'> & Partial<Pick<StoredSimulation, 'result' | 'error'>>,
): Promise<void> {
  const now = clock.now();
  const update = { $set: { ...end, finishedAt: now, updatedAt: now } };
  await collectionOf(db, simulationResource).updateOne(own(simulation), update);
}

async function giveUp(services: RunServices, simulation: StoredSimulation, error: unknown): Promise<void> {
  const { log } = services;
  const { _id, org, run, attempts } = simulation;
  // Another process may start it at once, and this is no attempt that failed.
  if (error instanceof Stopped) return simulationRuns.giveBack(services, { _id, org, run });
  // A store that became unavailable is no fault of the simulation. But one that never gets its answer must end, too.
  if (isTemporary(error)) {
    log.warn({ err: error }, 'a simulation waits');
    return simulationRuns.giveBack(services, { _id, org, run, set: { attempts: attempts + 1 } });
  }
  const isTooLarge = error instanceof SimulationTooLarge || error instanceof PointsOverflow;
  if (!isTooLarge) log.error({ err: error }, 'simulation failed');
  await finish(services, simulation, { status: 'Failed', error: isTooLarge ? error.message : nameOf(error) });
}

/** The class and code of an error. Messages of drivers contain hosts and queries, so they are not shown. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error ? `${error.name} ${String(error.code)}` : error.name;
}
