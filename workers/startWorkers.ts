import type { Services } from '../src/services/services';
import { startInboxWorker } from './inboxWorker';
import type { Running } from './redisWorker';
import { startSimulationsWorker } from './simulationsWorker';
import { startTimersWorker } from './timersWorker';

/** Starts all background workers of a process: inbox, timers and simulations. */
export async function startWorkers(services: Services): Promise<Running> {
  const running = [startInboxWorker(services), startTimersWorker(services), startSimulationsWorker(services)];
  services.log.info('workers started');
  return {
    async close() {
      await Promise.all(running.map((each) => each.close()));
      services.log.info('workers closed');
    },
  };
}
