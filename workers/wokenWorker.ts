import { withinTime } from '#base/common/withinTime';
import type { Services } from '#server/services/services';
import { closeMaxMs } from './closeMaxMs';
import { type Running, startRedisWorker } from './redisWorker';

/** What a worker does, and what wakes it. */
interface WokenWork {
  /** The queue whose jobs wake it. */
  queue: string;
  /** What the log says when the work throws. */
  failed: string;
  work(): Promise<unknown>;
  /** Ends what is in progress. */
  close(): Promise<void>;
}

/**
 * Starts a worker that works at once on a hint, and by polling in case hints are lost. A job of the queue only wakes the
 * loop that looks for work in the database. So many hints cost one round, and a killed worker leaves no job with unfinished
 * work.
 */
export function startWokenWorker(services: Services, { queue, failed, work, close }: WokenWork): Running {
  const relay = startRelay(services, failed, work);
  const worker = startRedisWorker(services, { queue, concurrency: 1, process: async () => relay.wake() });
  return {
    async close() {
      await Promise.all([relay.close(), worker.close(), withinTime(closeMaxMs, close())]);
    },
  };
}

/** Milliseconds between two rounds of work without a hint: with Redis, and while Redis is unavailable. */
export const pollMs = { withRedis: 1000, withoutRedis: 250 } as const;

/** A loop that works. */
interface Relay {
  /** Begins the next round at once, or after the present one. */
  wake(): void;
  /** Resolves when the present round is done. */
  close(): Promise<void>;
}

/**
 * Does a piece of work repeatedly: at once when it is woken, and by polling in case hints are lost.
 * @param failed what the log says when the work throws
 */
function startRelay(
  { redis, log }: Pick<Services, 'redis' | 'log'>,
  failed: string,
  work: () => Promise<unknown>,
): Relay {
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
      await work().catch((err: unknown) => log.error({ err }, failed));
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
