import type { Services } from '../src/services/services';
import { runLimits } from '../src/simulations/claimSimulation';
import { runNextSimulation } from '../src/simulations/runNextSimulation';
import { startPolledWorker } from './polledWorker';
import type { Running } from './redisWorker';

/** Starts loops that run waiting simulations, some side by side, so that a small one does not wait for a big one. */
export function startSimulationsWorker(services: Services): Running {
  return startPolledWorker(services, 'simulations', (signal) => runNextSimulation(services, signal), runLimits.atOnce);
}
