import type { Services } from '#server/services/services';
import { startEventsWorker } from './eventsWorker';
import { startImportsWorker } from './importsWorker';
import { startInboxWorker } from './inboxWorker';
import type { Running } from './redisWorker';
import { startSimulationsWorker } from './simulationsWorker';
import { startTimersWorker } from './timersWorker';
import { startWebhooksWorker } from './webhooksWorker';

/** Starts all background workers of a process: inbox, timers, simulations, imports, events and webhooks. */
export async function startWorkers(services: Services): Promise<Running> {
  const running = [
    startInboxWorker(services),
    startTimersWorker(services),
    startSimulationsWorker(services),
    startEventsWorker(services),
    startWebhooksWorker(services),
    startImportsWorker(services),
  ];
  services.log.info('workers started');
  return {
    async close() {
      await Promise.all(running.map((each) => each.close()));
      services.log.info('workers closed');
    },
  };
}
