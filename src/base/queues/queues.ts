import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { followPrimary } from './followPrimary';

/**
 * Names of the BullMQ queues. `activities` carries hints that the inbox has work, `webhooks` that there is something to
 * deliver; `timers` carries the schedules.
 */
export const queueNames = { activities: 'activities', webhooks: 'webhooks', timers: 'timers' } as const;

/** Limits of hints, in milliseconds. A hint may be lost, but it must never fail or delay a request. */
export const hintLimits = { coalesceMs: 5, commandTimeoutMs: 1000, reconnectMaxMs: 2000 } as const;

/** The producers' side of the queues. */
export interface Queues {
  /** Sends a hint that wakes a worker to drain the inbox. It returns at once and never throws; workers also poll. */
  wakeInbox(): void;
  /** Sends a hint that wakes a worker to look for deliveries to webhooks, in the same way. */
  wakeWebhooks(): void;
  close(): Promise<void>;
}

/** The address of Redis and the prefix of all keys in it. */
export interface QueueOptions {
  redisUrl: string;
  prefix: string;
  log: Logger;
}

/** Opens the producers' side of the queues. While Redis is unavailable, hints are dropped. */
export function createQueues(options: QueueOptions): Queues {
  const connection = producerConnection(options);
  const hints = {
    inbox: coalesced(hintSender(connection, queueNames.activities, options)),
    webhooks: coalesced(hintSender(connection, queueNames.webhooks, options)),
  };
  return {
    wakeInbox: hints.inbox.wake,
    wakeWebhooks: hints.webhooks.wake,
    async close() {
      await Promise.all([hints.inbox.close(), hints.webhooks.close()]);
      connection.disconnect();
    },
  };
}

/** Sends hints that come close together as one. */
function coalesced(hints: ReturnType<typeof hintSender>) {
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;

  // One hint is in flight and one waits. The waiting hint covers everything that arrives meanwhile.
  const send = async () => {
    await sending;
    timer = undefined;
    sending = hints.send();
  };
  return {
    wake() {
      timer ??= setTimeout(() => void send(), hintLimits.coalesceMs).unref();
    },
    async close() {
      clearTimeout(timer);
      await sending;
      await hints.close();
    },
  };
}

/**
 * Sends hints through a queue that is opened when Redis answers and closed when a hint fails. A new queue is needed,
 * because a BullMQ queue never recovers when its connection is lost while the queue opens.
 */
function hintSender(connection: Redis, name: string, { prefix, log }: Pick<QueueOptions, 'prefix' | 'log'>) {
  let queue: Queue | undefined;
  const open = () => {
    const made = new Queue(name, { connection, prefix });
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

/** Opens a connection that fails commands while Redis is unavailable; ioredis would queue them by default. */
function producerConnection({ redisUrl, log }: QueueOptions): Redis {
  const connection = new Redis(redisUrl, {
    ...followPrimary,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: hintLimits.commandTimeoutMs,
    connectTimeout: hintLimits.commandTimeoutMs,
    retryStrategy: (times) => Math.min(100 * times, hintLimits.reconnectMaxMs),
  });
  connection.on('error', (error: NodeJS.ErrnoException) => log.debug({ error: error.code }, 'redis of hints'));
  return connection;
}

/** At most one hint waits and one is active. Hints during an active one add one more; all others are dropped. */
const hintOptions = {
  deduplication: { id: 'wake', keepLastIfActive: true },
  removeOnComplete: true,
  removeOnFail: true,
} as const;
