import { setTimeout as pause } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { queueNames } from '#base/queues/queues';
import { beat } from '#operations/jobs/heartbeat';
import { registerSchedules } from '#operations/jobs/registerSchedules';
import { schedules } from '#operations/jobs/schedules';
import type { Running } from '../../workers/redisWorker';
import { startWorkers } from '../../workers/startWorkers';
import { startTimersWorker, superviseEveryMs } from '../../workers/timersWorker';
import { openRedisProxy } from '../support/redisProxy';
import { openTestServices, type TestServices } from '../support/services';

const names = [
  'aggregates',
  'daychange',
  'events',
  'expiring',
  'inbox',
  'indexes',
  'members',
  'occasions',
  'periods',
  'reconcile',
  'retention',
  'rules',
  'sandbox',
];

let services: TestServices;
let redis: Redis;
let queue: Queue;
let workers: Running[] = [];

beforeEach(async () => {
  services = await openTestServices({ aggregatesEveryMs: 250 });
  const { REDIS_URL = '', REDIS_PREFIX } = services.config;
  redis = new Redis(REDIS_URL, { maxRetriesPerRequest: null });
  queue = new Queue(queueNames.timers, { connection: redis, prefix: REDIS_PREFIX });
  workers = [];
});
afterEach(async () => {
  await Promise.all(workers.map((each) => each.close()));
  await queue.close();
  redis.disconnect();
  await services.close();
});

async function registered(): Promise<string[]> {
  return (await queue.getJobSchedulers()).map(({ name }) => name).sort();
}

async function until(isSo: () => Promise<boolean>, maxMs: number): Promise<void> {
  const deadline = Date.now() + maxMs;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error('it never became so');
    await pause(50);
  }
}

const runsOf = (name: string) => services.db.collection('jobs').countDocuments({ name, finishedAt: { $exists: true } });

test('timers run at their period, whichever worker takes them', async () => {
  workers = [await startWorkers(services), await startWorkers(services)];
  await until(async () => (await registered()).length === names.length, 10_000);
  expect(await registered()).toEqual(names);
  await until(async () => (await runsOf('aggregates')) >= 4, 15_000);
  await until(async () => (await runsOf('escrow')) >= 1 && (await runsOf('reconcile')) >= 1, 10_000);
});

test('timers are registered again within a minute after Redis was wiped', async () => {
  expect(superviseEveryMs).toBeLessThanOrEqual(30_000);
  workers = [startTimersWorker(services, 500)];
  await until(async () => (await registered()).length === names.length, 10_000);
  const keys = await redis.keys(`${services.config.REDIS_PREFIX}:*`);
  const schedulers = `${services.config.REDIS_PREFIX}:${queueNames.timers}:repeat`;
  expect(keys).toContain(schedulers);
  // Looked at in the same moment: they may be back in the next.
  const [, left] = (await redis.multi().unlink(keys).exists(schedulers).exec()) ?? [];
  expect(left).toEqual([null, 0]);

  await until(async () => (await registered()).length === names.length, 10_000);
  const before = await runsOf('aggregates');
  await until(async () => (await runsOf('aggregates')) > before + 1, 15_000);
});

test('registering again leaves the next run where it is, and a changed period takes effect', async () => {
  await until(async () => services.redis.status === 'ready', 5000);
  await registerSchedules(services);
  const next = async () => (await queue.getJobScheduler('daychange'))?.next;
  const first = await next();
  await pause(50);
  await registerSchedules(services);
  expect(await next()).toBe(first);

  await registerSchedules({ ...services, config: { ...services.config, dayChangeEveryMs: 5000 } });
  expect((await queue.getJobScheduler('daychange'))?.every).toBe(5000);
});

test('a worker without Redis runs overdue timers itself', async () => {
  const proxy = await openRedisProxy(services.config.REDIS_URL ?? '');
  await proxy.down();
  workers = [await startWorkers({ ...services, config: { ...services.config, REDIS_URL: proxy.url } })];
  await until(async () => (await runsOf('aggregates')) >= 1 && (await runsOf('expiry')) >= 1, 10_000);
});

describe('warnings of stopped timers', () => {
  const warnings: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => warnings.push(JSON.parse(line).msg) });

  beforeEach(async () => {
    warnings.length = 0;
    const hourAgo = new Date(services.clock.now().getTime() - 3_600_000);
    for (const { name } of schedules) await beat(services.db, { _id: name, lastFinishedAt: hourAgo, everyMs: 1000 });
  });

  test('are absent when a start after a planned stop runs the timers that became due', async () => {
    workers = [startTimersWorker({ ...services, log }, 500)];
    await until(async () => (await runsOf('aggregates')) >= 1 && (await runsOf('expiry')) >= 1, 10_000);
    expect(warnings).toEqual([]);
  });

  test('come when a timer stops while a worker runs', async () => {
    const proxy = await openRedisProxy(services.config.REDIS_URL ?? '');
    await proxy.down();
    workers = [startTimersWorker({ ...services, log, config: { ...services.config, REDIS_URL: proxy.url } }, 500)];
    await until(async () => (await runsOf('aggregates')) >= 1, 10_000);
    services.clock.advance(600_000);
    await until(async () => warnings.includes('timer has stopped; this worker runs it'), 10_000);
  });
});
