import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { queueNames } from '#base/queues/queues';
import { freePort } from '#operations/embedded/freePort';
import { type Running, startRedisWorker } from '../../workers/redisWorker';
import { type OwnRedis, startOwnRedis } from '../support/ownRedis';
import { openRedisProxy, type RedisProxy } from '../support/redisProxy';
import { openTestServices, type TestServices } from '../support/services';
import { until } from '../support/until';

/** Redis with replicas, and as a cluster (docs/operating.md). */
const started: OwnRedis[] = [];
const clients: Redis[] = [];
const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of closing.splice(0)) await each.close();
  for (const each of clients.splice(0)) each.disconnect();
  for (const each of started.splice(0)) await each.close();
});

async function startRedis(...more: string[]): Promise<{ url: string; client: Redis }> {
  const own = await startOwnRedis(...more);
  started.push(own);
  const client = new Redis(own.url);
  clients.push(client);
  return { url: own.url, client };
}

/** Services on this Redis, and a worker that counts the hints that it gets. */
async function openOn(REDIS_URL: string, REDIS_PREFIX: string) {
  const services: TestServices = await openTestServices({ REDIS_URL, REDIS_PREFIX });
  let hints = 0;
  const count = async () => {
    hints += 1;
  };
  const worker: Running = startRedisWorker(services, { queue: queueNames.activities, concurrency: 1, process: count });
  closing.push(worker, services);
  /** Sends hints until one arrives. */
  const arrives = () => {
    const before = hints;
    return until(async () => {
      services.queues.wakeInbox();
      return hints > before;
    });
  };
  return { services, arrives };
}

test('after a failover, open connections leave the former primary, and hints arrive by the new one', async () => {
  const [first, second] = [await startRedis(), await startRedis()];
  const proxy: RedisProxy = await openRedisProxy(first.url);
  const { services, arrives } = await openOn(proxy.url, 'loyalty');
  await arrives();
  proxy.leadTo(second.url);
  // The address leads to the new primary, and the connections that are open to a replica.
  await first.client.replicaof('127.0.0.1', Number(new URL(second.url).port));
  await arrives();
  await until(async () => services.redis.set('probe', '1').then(Boolean, () => false));
  expect(await second.client.get('probe')).toBe('1');
  closing.push({ close: () => proxy.down() });
});

async function startCluster(): Promise<{ url: string; client: Redis }> {
  // Without a port of its own, the bus has that of the server plus 10,000, which a connection may have.
  const node = await startRedis('--cluster-enabled', 'yes', '--cluster-port', `${await freePort()}`);
  await node.client.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
  await until(async () => (await node.client.cluster('INFO')).includes('cluster_state:ok'));
  return node;
}

test('with a prefix in braces all keys are in one slot, so a cluster takes hints, timers and counters', async () => {
  const { url, client } = await startCluster();
  const { services, arrives } = await openOn(url, '{loyalty}');
  await arrives();
  const timers = new Queue(queueNames.timers, { connection: services.redis, prefix: services.config.REDIS_PREFIX });
  await timers.upsertJobScheduler('probe', { every: 60_000 }, { name: 'probe' });
  expect(await timers.getJobSchedulersCount()).toBe(1);
  const keys = await client.keys('*');
  expect(keys.filter((key) => !key.startsWith('{loyalty}:'))).toEqual([]);
  const slots = await Promise.all(keys.map((key) => client.cluster('KEYSLOT', key)));
  expect(keys.length).toBeGreaterThan(3);
  expect(new Set(slots).size).toBe(1);
});

test('without braces a cluster refuses the queues, which is why they are needed', async () => {
  const { url } = await startCluster();
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  clients.push(connection);
  const queue = new Queue(queueNames.activities, { connection, prefix: 'loyalty' });
  await expect(queue.add('wake', {})).rejects.toThrow('CROSSSLOT');
});
