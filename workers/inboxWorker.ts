import { createInboxDrain } from '#activities/inbox/inboxDrain';
import { queueNames } from '#base/queues/queues';
import type { Services } from '#server/services/services';
import type { Running } from './redisWorker';
import { startWokenWorker } from './wokenWorker';

/** Starts draining the inbox. */
export function startInboxWorker(services: Services): Running {
  const inbox = createInboxDrain(services);
  return startWokenWorker(services, {
    queue: queueNames.activities,
    failed: 'inbox drain failed',
    work: () => inbox.drain(),
    close: () => inbox.close(),
  });
}
