import { createInboxDrain } from '../src/activities/inbox/inboxDrain';
import { queueNames } from '../src/queues/queues';
import type { Services } from '../src/services/services';
import { type Running, startRedisWorker } from './redisWorker';
import { closeMaxMs, within } from './within';

/** Milliseconds between two drains of the inbox without a hint: with Redis, and while Redis is unavailable. */
export const pollMs = { withRedis: 1000, withoutRedis: 250 } as const;

/**
 * Starts draining the inbox: at once on a hint, and by polling in case hints are lost. A job of the queue only wakes
 * the drain loop. So many hints cost one drain, and a killed worker leaves no job with unfinished work.
 */
export function startInboxWorker(services: Services): Running {
  const inbox = createInboxDrain(services);
  const relay = startRelay(services, () => inbox.drain());
  const worker = startRedisWorker(services, {
    queue: queueNames.activities,
    concurrency: 1,
    process: async () => relay.wake(),
  });
  return {
    async close() {
      const relayEnded = relay.close();
      await Promise.all([worker.close(), within(closeMaxMs, inbox.close()), relayEnded]);
    },
  };
}

function startRelay({ redis, log }: Services, drain: () => Promise<unknown>) {
  let isClosed = false;
  let isWoken = false;
  let endPause = () => {};
  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, redis.status === 'ready' ? pollMs.withRedis : pollMs.withoutRedis);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async () => {
    while (!isClosed) {
      isWoken = false;
      await drain().catch((err: unknown) => log.error({ err }, 'inbox drain failed'));
      if (!isWoken && !isClosed) await pause();
    }
  };
  const ended = run();
  return {
    wake() {
      isWoken = true;
      endPause();
    },
    close() {
      isClosed = true;
      endPause();
      return ended;
    },
  };
}
