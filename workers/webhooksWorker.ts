import { withinTime } from '#base/common/withinTime';
import { queueNames } from '#base/queues/queues';
import { createDeliverer } from '#exchange/webhooks/deliver/createDeliverer';
import type { Services } from '#server/services/services';
import { closeMaxMs } from './closeMaxMs';
import { type Running, startRedisWorker } from './redisWorker';
import { startRelay } from './relay';

/**
 * Starts delivering events to webhooks: at once on a hint, and by polling in case hints are lost. A job of the queue
 * only wakes the loop that looks for work in the database, so a killed worker leaves no job with unfinished work.
 */
export function startWebhooksWorker(services: Services): Running {
  const deliverer = createDeliverer(services);
  const relay = startRelay(services, 'looking for webhooks failed', () => deliverer.look());
  const worker = startRedisWorker(services, {
    queue: queueNames.webhooks,
    concurrency: 1,
    process: async () => relay.wake(),
  });
  return {
    async close() {
      await Promise.all([worker.close(), relay.close(), withinTime(closeMaxMs, deliverer.close())]);
    },
  };
}
