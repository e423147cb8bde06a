import { type ClaimServices, createClaimedRuns } from '#base/db/claimedRuns';
import { collectionOf } from '#base/db/collections';
import { type StoredSimulation, simulationResource } from './simulation';

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
export const simulationRuns = createClaimedRuns({
  collection: (db) => db.collection(simulationResource.path),
  statuses: ['Queued', 'Running'],
  backStatus: 'Queued',
  silentMaxMs: runLimits.silentMaxMs,
  atOnce: runLimits.atOnce,
});

/** Takes the simulation whose turn it is. */
export async function claimSimulation(services: ClaimServices): Promise<StoredSimulation | undefined> {
  const claimed = await simulationRuns.claim(services);
  if (!claimed?.run) return undefined;
  const { _id, org, run } = claimed;
  const simulation = await collectionOf(services.db, simulationResource).findOne({ _id, org, run });
  // It was deleted meanwhile.
  if (!simulation) simulationRuns.forget(claimed);
  return simulation ?? undefined;
}
