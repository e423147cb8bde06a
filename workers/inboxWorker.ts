import { createInboxDrain } from '#activities/inbox/inboxDrain';
import { withinTime } from '#base/common/withinTime';
import { queueNames } from '#base/queues/queues';
import type { Services } from '#server/services/services';
import { closeMaxMs } from './closeMaxMs';
import { type Running, startRedisWorker } from './redisWorker';
import { startRelay } from './relay';

/**
 * Starts draining the inbox: at once on a hint, and by polling in case hints are lost. A job of the queue only wakes
 * the drain loop. So many hints cost one drain, and a killed worker leaves no job with unfinished work.
 */
export function startInboxWorker(services: Services): Running {
  const inbox = createInboxDrain(services);
  const relay = startRelay(services, 'inbox drain failed', () => inbox.drain());
  const worker = startRedisWorker(services, {
    queue: queueNames.activities,
    concurrency: 1,
    process: async () => relay.wake(),
  });
  return {
    async close() {
      const relayEnded = relay.close();
      await Promise.all([worker.close(), withinTime(closeMaxMs, inbox.close()), relayEnded]);
    },
  };
}
