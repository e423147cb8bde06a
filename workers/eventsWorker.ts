import { numberEvents } from '#platform/events/numberEvents';
import type { Services } from '#server/services/services';
import { startPolledWorker } from './polledWorker';
import type { Running } from './redisWorker';

/** Milliseconds between two looks for events without numbers. */
const pollMs = 250;

/**
 * Starts a loop that gives events their numbers, and then wakes those who deliver them. It only polls: a hint from each
 * commit would cost more than the looks, each of which is one seek of an index, and it works without Redis
 * (docs/decisions/0075).
 */
export function startEventsWorker(services: Services): Running {
  return startPolledWorker(services, { failed: 'numbering events failed', pollMs }, async () => {
    const numbered = await numberEvents(services, services.clock.now());
    if (numbered > 0) services.queues.wakeWebhooks();
    // One look numbers all that wait, and further commits wait for the next one.
    return false;
  });
}
