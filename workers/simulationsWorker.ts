import { runLimits, runNextSimulation } from '#publishing/simulations/runNextSimulation';
import type { Services } from '#server/services/services';
import { startPolledWorker } from './polledWorker';
import type { Running } from './redisWorker';

/** Starts loops that run waiting simulations, some side by side, so that a small one does not wait for a big one. */
export function startSimulationsWorker(services: Services): Running {
  return startPolledWorker(services, { failed: 'looking for simulations failed', atOnce: runLimits.atOnce }, (signal) =>
    runNextSimulation(services, signal),
  );
}
