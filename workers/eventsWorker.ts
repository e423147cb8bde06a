import { setTimeout } from 'node:timers/promises';
import { withinTime } from '#base/common/withinTime';
import { numberEvents } from '#platform/events/numberEvents';
import type { Services } from '#server/services/services';
import { closeMaxMs } from './closeMaxMs';
import type { Running } from './redisWorker';

/** Milliseconds between two looks for events without numbers. */
const pollMs = 250;

/**
 * Starts a loop that gives events their numbers, and then wakes those who deliver them. It only polls: a hint from each commit would cost more than the looks,
 * each of which is one seek of an index, and it works without Redis (docs/decisions/0075).
 */
export function startEventsWorker(services: Services): Running {
  const ending = new AbortController();
  const pause = () => setTimeout(pollMs, undefined, { signal: ending.signal }).catch(() => undefined);
  const run = async () => {
    while (!ending.signal.aborted) {
      const numbered = await numberEvents(services, services.clock.now()).catch((err: unknown) => {
        services.log.error({ err }, 'numbering events failed');
        return 0;
      });
      if (numbered > 0) services.queues.wakeWebhooks();
      if (!ending.signal.aborted) await pause();
    }
  };
  const ended = run();
  return {
    async close() {
      ending.abort();
      await withinTime(closeMaxMs, ended);
    },
  };
}
