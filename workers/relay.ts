import type { Services } from '#server/services/services';

/** Milliseconds between two rounds of work without a hint: with Redis, and while Redis is unavailable. */
export const pollMs = { withRedis: 1000, withoutRedis: 250 } as const;

/** A loop that works. */
export interface Relay {
  /** Begins the next round at once, or after the present one. */
  wake(): void;
  /** Resolves when the present round is done. */
  close(): Promise<void>;
}

/**
 * Does a piece of work repeatedly: at once when it is woken, and by polling in case hints are lost.
 * @param failed what the log says when the work throws
 */
export function startRelay(
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
