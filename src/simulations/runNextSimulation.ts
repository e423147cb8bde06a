import type { Connection } from 'mongoose';
import type { Backing } from '../backing/backing';
import { collectionOf } from '../db/collections';
import { PointsOverflow } from '../points/pointsOverflow';
import { SimulationTooLarge } from '../rules/simulate/simulationTooLarge';
import { type SimulationProgress, simulatePast } from './simulatePast';
import { type StoredSimulation, simulationResource } from './simulation';

/** Interval of heartbeats, silence after which another run takes over, and maximum number of attempts. */
export const runLimits = { aliveEveryMs: 1000, silentMaxMs: 30_000, attemptsMax: 3 } as const;

type RunServices = Pick<Backing, 'db' | 'clock' | 'log'>;

/** Thrown to stop a run: its record was deleted, another run took over, or the process ends. */
class Stopped extends Error {
  override readonly name = 'Stopped';
}

/**
 * Runs the simulation that has waited longest. A simulation without heartbeats is started again; after three attempts
 * it fails. Starting again is safe, since a simulation only reads.
 * @returns false when no simulation waits
 */
export async function runNextSimulation(services: RunServices, signal?: AbortSignal): Promise<boolean> {
  const simulation = await claim(services);
  if (!simulation) return false;
  const { requestId, _id } = simulation;
  const log = services.log.child({ requestId, simulation: _id });
  await runClaimed({ ...services, log }, simulation, signal);
  return true;
}

async function runClaimed(services: RunServices, simulation: StoredSimulation, signal?: AbortSignal): Promise<void> {
  const { attempts } = simulation;
  if (attempts > runLimits.attemptsMax) {
    await finish(services, simulation, { status: 'Failed', error: 'Its process ended three times while it ran' });
    services.log.error({ attempts }, 'simulation given up');
    return;
  }
  try {
    await run(services, simulation, signal);
    services.log.info({ attempts }, 'simulation done');
  } catch (error) {
    await giveUp(services, simulation, error);
  }
}

async function claim({ db, clock }: RunServices): Promise<StoredSimulation | undefined> {
  const now = clock.now();
  const silentSince = new Date(now.getTime() - runLimits.silentMaxMs);
  const found = await collectionOf(db, simulationResource).findOneAndUpdate(
    { $or: [{ status: 'Queued' }, { status: 'Running', aliveAt: { $lt: silentSince } }] },
    { $set: { status: 'Running', startedAt: now, aliveAt: now }, $inc: { attempts: 1 } },
    { sort: { _id: 1 }, returnDocument: 'after' },
  );
  return found ?? undefined;
}

async function run(services: RunServices, simulation: StoredSimulation, signal: AbortSignal | undefined) {
  const { db, clock } = services;
  const { org, drafts, program, programs, from, to, sample, limit } = simulation;
  const result = await simulatePast(db, {
    clock,
    org,
    changed: drafts,
    scope: { programs: programs ?? (program && [program]), from, to, sample, limit },
    until: simulation.createdAt,
    onProgress: heartbeat(services, simulation, signal),
  });
  await finish({ db, clock }, simulation, { status: 'Done', result });
}

/** Makes a function that writes the progress at intervals. It throws {@link Stopped} when the run must stop. */
function heartbeat({ db, clock }: RunServices, simulation: StoredSimulation, signal: AbortSignal | undefined) {
  let last = Number.NEGATIVE_INFINITY;
  return async (progress: SimulationProgress) => {
    if (signal?.aborted) throw new Stopped();
    const isLast = progress.read === progress.total;
    const now = clock.now();
    if (!isLast && now.getTime() - last < runLimits.aliveEveryMs) return;
    last = now.getTime();
    const set = { progress, aliveAt: now };
    const { matchedCount } = await collectionOf(db, simulationResource).updateOne(own(simulation), { $set: set });
    if (matchedCount === 0) throw new Stopped();
  };
}

/** The filter for the record while it belongs to this run. */
function own({ _id, org, attempts }: StoredSimulation) {
  return { _id, org, attempts, status: 'Running' as const };
}

async function finish(
  { db, clock }: { db: Connection; clock: Backing['clock'] },
  simulation: StoredSimulation,
  end: Pick<StoredSimulation, 'status'> & Partial<Pick<StoredSimulation, 'result' | 'error'>>,
): Promise<void> {
  const now = clock.now();
  const update = { $set: { ...end, finishedAt: now, updatedAt: now } };
  await collectionOf(db, simulationResource).updateOne(own(simulation), update);
}

async function giveUp(services: RunServices, simulation: StoredSimulation, error: unknown): Promise<void> {
  const { db, log } = services;
  if (error instanceof Stopped) {
    // Another process may start it at once. This attempt does not count.
    const back = { $set: { status: 'Queued' as const }, $inc: { attempts: -1 } };
    await collectionOf(db, simulationResource).updateOne(own(simulation), back);
    return;
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
