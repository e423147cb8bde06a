import { setTimeout as pause } from 'node:timers/promises';
import { type Job, Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { createQueues, type Queues, queueNames } from '#base/queues/queues';
import { openRedisProxy, type RedisProxy } from '../../support/redisProxy';
import { type TestStores, testStores } from '../../support/stores';

let stores: TestStores;
let proxy: RedisProxy;
let queues: Queues;
/** Reads the real Redis directly, not through the proxy. */
let queue: Queue;
let redis: Redis;

beforeEach(async () => {
  stores = testStores();
  proxy = await openRedisProxy(stores.redisUrl);
  redis = new Redis(stores.redisUrl, { maxRetriesPerRequest: null });
  queue = new Queue(queueNames.activities, { connection: redis, prefix: stores.redisPrefix });
  queues = createQueues({ redisUrl: proxy.url, prefix: stores.redisPrefix, log: pino({ level: 'silent' }) });
});
afterEach(async () => {
  await queues.close();
  await queue.close();
  redis.disconnect();
  await proxy.down().catch(() => undefined);
  await stores.drop();
});

test('a flood of hints makes one waiting job', async () => {
  await hintArrives(queues);
  for (let n = 0; n < 20_000; n += 1) queues.wakeInbox();
  await pause(300);
  expect(await queue.getJobCounts('waiting', 'active')).toEqual({ waiting: 1, active: 0 });
});

test('a hint during a run of the worker is kept for after it', async () => {
  await hintArrives(queues);
  const ends: (() => void)[] = [];
  const worker = work(() => new Promise((resolve) => ends.push(resolve)));
  await until(async () => ends.length === 1);
  for (let n = 0; n < 50; n += 1) queues.wakeInbox();
  await pause(300);
  ends[0]?.();
  await until(async () => ends.length === 2);
  ends[1]?.();
  await until(async () => (await queue.getActiveCount()) === 0);
  expect([ends.length, await queue.getWaitingCount()]).toEqual([2, 0]);
  await worker.close();
});

test('hints without Redis are lost, and later hints arrive once Redis is back', async () => {
  await hintArrives(queues);
  await pause(200);
  await queue.drain();
  await proxy.down();
  for (let n = 0; n < 10_000; n += 1) queues.wakeInbox();
  await pause(300);
  expect(await queue.getWaitingCount()).toBe(0);
  await proxy.up();
  await hintArrives(queues);
});

test('a process that starts without Redis finds it later, and can close without it', async () => {
  await proxy.down();
  const early = createQueues({ redisUrl: proxy.url, prefix: stores.redisPrefix, log: pino({ level: 'silent' }) });
  const never = createQueues({ redisUrl: proxy.url, prefix: stores.redisPrefix, log: pino({ level: 'silent' }) });
  early.wakeInbox();
  never.wakeInbox();
  await pause(300);
  await never.close();
  await proxy.up();
  await hintArrives(early);
  await early.close();
});

test('a Redis that hangs delays nothing', async () => {
  await hintArrives(queues);
  proxy.freeze();
  for (let n = 0; n < 10_000; n += 1) queues.wakeInbox();
  await pause(1500);
  await expect(queues.close()).resolves.toBeUndefined();
});

function work(process: (job: Job) => Promise<void>): Worker {
  return new Worker(queueNames.activities, process, {
    connection: { url: stores.redisUrl, maxRetriesPerRequest: null },
    prefix: stores.redisPrefix,
  });
}

async function hintArrives(from: Queues): Promise<void> {
  await until(async () => {
    from.wakeInbox();
    return (await queue.getWaitingCount()) > 0;
  });
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error('it never became so');
    await pause(50);
  }
}
