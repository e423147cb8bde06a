import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { OnProgress } from '#base/common/progressTo';
import { StartError } from '#base/common/startError';
import { answerLimitMs, firstLine, type RetryPolicy, retryMs } from './retryPolicy';

/**
 * Checks that a Redis can store our queues: it answers in time, and it never evicts keys. When the server does not show
 * its eviction policy, `onProgress` gets a warning. A server that refuses us fails at once, without a wait.
 * @throws StartError with one line that says what is wrong
 */
export async function checkRedis(url: string, onProgress: OnProgress, patience: RetryPolicy): Promise<void> {
  const server = `Redis at ${redisHost(url)}`;
  const policy = await waitForPolicy(url, server, patience);
  if (policy === 'noeviction') return;
  const remedy = 'set maxmemory-policy to noeviction, else queued jobs may vanish';
  if (policy !== undefined) throw new StartError(`${server} has maxmemory-policy ${policy}: ${remedy}`);
  onProgress(`warning: ${server} does not tell its maxmemory-policy: ${remedy}`);
}

function redisHost(url: string): string {
  try {
    const { protocol, host } = new URL(url);
    if (protocol === 'redis:' || protocol === 'rediss:') return host;
  } catch {
    // The error below also covers this case.
  }
  throw new StartError('the Redis URL cannot be used: it must look like redis://host:6379');
}

async function waitForPolicy(
  url: string,
  server: string,
  { waitMs, onAway }: RetryPolicy,
): Promise<string | undefined> {
  const startedAt = performance.now();
  for (;;) {
    try {
      return await readEvictionPolicy(url);
    } catch (error) {
      const reason = firstLine(error);
      if (isRefusal(error)) throw new StartError(`${server} refuses us (${reason})`);
      if (performance.now() - startedAt + retryMs > waitMs)
        throw new StartError(`${server} does not answer (${reason})`);
      onAway(reason);
    }
    await sleep(retryMs);
  }
}

/**
 * Tells whether Redis answered with an error that does not pass with time. A Redis that still starts answers LOADING.
 */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError' && !/^(?:LOADING|BUSY|MASTERDOWN)\b/.test(error.message);
}

/** Reads the policy from INFO, which is also allowed where CONFIG is not. */
async function readEvictionPolicy(url: string): Promise<string | undefined> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: answerLimitMs,
    commandTimeout: answerLimitMs,
    enableReadyCheck: false,
    retryStrategy: () => null,
  });
  let cause: unknown;
  redis.on('error', (error) => {
    cause = error;
  });
  try {
    await redis.ping();
    const memory = await redis.info('memory').catch(() => '');
    return /^maxmemory_policy:(\S+)/m.exec(memory)?.[1];
  } catch (error) {
    throw cause ?? error;
  } finally {
    redis.disconnect();
  }
}
