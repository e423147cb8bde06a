import assert from 'node:assert';
import { type Job, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { withinTime } from '#base/common/withinTime';
import { followPrimary } from '#base/queues/followPrimary';
import type { Services } from '#server/services/services';
import { closeMaxMs } from './closeMaxMs';

/** The queue of a worker, and how the worker processes its jobs. */
export interface WorkerOptions {
  queue: string;
  concurrency: number;
  process(job: Job): Promise<void>;
}

/** Something that runs until it is closed. */
export interface Running {
  /** Takes no new work, waits up to 8 s for work in progress, then resolves. It never throws. */
  close(): Promise<void>;
}

/**
 * Starts a BullMQ worker. It waits for Redis without a time limit, and takes over a job of killed workers any number of
 * times.
 */
export function startRedisWorker({ config, log }: Services, { queue, concurrency, process }: WorkerOptions): Running {
  const connection = workerConnection(config.REDIS_URL, (err) => log.warn({ err, queue }, 'redis of a worker'));
  const worker = new Worker(queue, process, {
    connection,
    concurrency,
    prefix: config.REDIS_PREFIX,
    maxStalledCount: 1_000_000,
    stalledInterval: 5000,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  });
  worker.on('error', (error) => log.debug({ error: error.name, queue }, 'worker'));
  worker.on('failed', (job, err) => log.error({ err, queue, job: job?.name }, 'job of a queue failed'));
  return {
    async close() {
      // While Redis is unavailable, a graceful close would wait for it, so the close is forced.
      await withinTime(closeMaxMs, worker.close(connection.status !== 'ready'));
      connection.disconnect();
    },
  };
}

function workerConnection(url: string | undefined, onError: (error: Error) => void): Redis {
  assert(url, 'REDIS_URL was checked when the services were opened');
  const connection = new Redis(url, {
    ...followPrimary,
    maxRetriesPerRequest: null,
    disconnectTimeout: 200,
    retryStrategy: (times) => Math.min(100 * times, 2000),
  });
  connection.on('error', onError);
  return connection;
}
