import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import type { Logger } from 'pino';

/** Names of the BullMQ queues: hints that there is work in the inbox, and the timers' schedules. */
export const queueNames = { activities: 'activities', timers: 'timers' } as const;

/** Bounds of hints: they may be lost, but must never cost or hold up a request. */
export const hintLimits = { coalesceMs: 5, commandTimeoutMs: 1000, reconnectMaxMs: 2000 } as const;

/** What producers put into Redis. */
export interface Queues {
  /** Wakes a worker to look into the inbox; a hint that never fails, waits or throws (workers poll as well). */
  wakeInbox(): void;
  close(): Promise<void>;
}

/** How to reach Redis, and the prefix of all keys there. */
export interface QueueOptions {
  redisUrl: string;
  prefix: string;
  log: Logger;
}

/** Opens the producers' side of the queues; works (by doing nothing) while Redis is away. */
export function createQueues(options: QueueOptions): Queues {
  const connection = producerConnection(options);
  const hints = hintSender(connection, options);
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;

  // One hint in flight, one waiting: whatever arrives meanwhile is covered by the one that waits.
  const send = async () => {
    await sending;
    timer = undefined;
    sending = hints.send();
  };
  return {
    wakeInbox() {
      timer ??= setTimeout(() => void send(), hintLimits.coalesceMs).unref();
    },
    async close() {
      clearTimeout(timer);
      await sending;
      await hints.close();
      connection.disconnect();
    },
  };
}

/**
 * Sends hints through a queue that is made when Redis answers and dropped when it fails: BullMQ's queue never recovers
 * from a connection lost while it is being made.
 */
function hintSender(connection: Redis, { prefix, log }: QueueOptions) {
  let queue: Queue | undefined;
  const open = () => {
    const made = new Queue(queueNames.activities, { connection, prefix });
    made.on('error', (error) => log.debug({ error: error.name }, 'hint queue'));
    return made;
  };
  const close = async () => {
    const closing = queue;
    queue = undefined;
    await closing?.close().catch(() => undefined);
  };
  const send = async () => {
    if (connection.status !== 'ready') return;
    try {
      queue ??= open();
      await queue.add('wake', {}, hintOptions);
    } catch (error) {
      log.debug({ error: error instanceof Error ? error.name : 'unknown' }, 'hint lost');
      await close();
    }
  };
  return { send, close };
}

/** A connection that refuses commands while Redis is away instead of keeping them. */
function producerConnection({ redisUrl, log }: QueueOptions): Redis {
  const connection = new Redis(redisUrl, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: hintLimits.commandTimeoutMs,
    connectTimeout: hintLimits.commandTimeoutMs,
    retryStrategy: (times) => Math.min(100 * times, hintLimits.reconnectMaxMs),
  });
  connection.on('error', (error: NodeJS.ErrnoException) => log.debug({ error: error.code }, 'redis of hints'));
  return connection;
}

/** At most one waits and one is active: a flood of accepts adds one job, and what came while it ran one more. */
const hintOptions = {
  deduplication: { id: 'wake', keepLastIfActive: true },
  removeOnComplete: true,
  removeOnFail: true,
} as const;
