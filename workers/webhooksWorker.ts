import { queueNames } from '#base/queues/queues';
import { createDeliverer } from '#exchange/webhooks/deliver/createDeliverer';
import type { Services } from '#server/services/services';
import type { Running } from './redisWorker';
import { startWokenWorker } from './wokenWorker';

/** Starts delivering events to webhooks. */
export function startWebhooksWorker(services: Services): Running {
  const deliverer = createDeliverer(services);
  return startWokenWorker(services, {
    queue: queueNames.webhooks,
    failed: 'looking for webhooks failed',
    work: () => deliverer.look(),
    close: () => deliverer.close(),
  });
}
