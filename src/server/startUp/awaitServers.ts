import { progressTo } from '#base/common/progressTo';
import type { Config } from '#platform/infrastructure/config';
import { checkMongo } from './checkMongo';
import { checkRedis } from './checkRedis';
import { waitMs } from './retryPolicy';

const tellEveryMs = 1000;

/**
 * Waits for the backing services, and writes once a second for which of them. When one cannot be used, the error says
 * why in one line; a driver would need ten.
 * @throws StartError when a service is unfit, refuses us, or does not answer in time
 */
export async function awaitServers({ MONGODB_URI, REDIS_URL }: Config): Promise<void> {
  if (MONGODB_URI === undefined || REDIS_URL === undefined) return;
  const onProgress = progressTo(process.stderr);
  const away = new Map<string, string>();
  const awaited = async (name: string, check: (onAway: (reason: string) => void) => Promise<void>) => {
    await check((reason) => away.set(name, reason));
    away.delete(name);
  };
  const telling = setInterval(() => {
    if (away.size > 0) onProgress(`Waiting for ${[...away].map(([name, reason]) => `${name} (${reason})`).join(', ')}`);
  }, tellEveryMs);
  try {
    await Promise.all([
      awaited('MongoDB', (onAway) => checkMongo(MONGODB_URI, { waitMs, onAway })),
      awaited('Redis', (onAway) => checkRedis(REDIS_URL, onProgress, { waitMs, onAway })),
    ]);
  } finally {
    clearInterval(telling);
  }
}
