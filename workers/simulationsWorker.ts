import type { Services } from '../src/services/services';
import { runNextSimulation } from '../src/simulations/runNextSimulation';
import { startPolledWorker } from './polledWorker';
import type { Running } from './redisWorker';

/** Starts a loop that runs waiting simulations, one after the other. */
export function startSimulationsWorker(services: Services): Running {
  return startPolledWorker(services, 'simulations', (signal) => runNextSimulation(services, signal));
}
