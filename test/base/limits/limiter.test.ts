import { Redis } from 'ioredis';
import { createLimiter, type Limiter } from '#base/limits/limiter';
import { stopwatch } from '../../support/givenTime';
import { openTestServices } from '../../support/services';
import { stallingRedis } from '../../support/stallingRedis';
import { type TestStores, testStores } from '../../support/stores';

let stores: TestStores;
let connections: Redis[] = [];
beforeEach(() => {
  stores = testStores();
});
afterEach(async () => {
  for (const connection of connections) connection.disconnect();
  connections = [];
  await stores.drop();
});

async function connected(): Promise<Redis> {
  const redis = new Redis(stores.redisUrl, { enableOfflineQueue: false, retryStrategy: () => null, lazyConnect: true });
  connections.push(redis);
  await redis.connect();
  return redis;
}

const options = { max: 7, windowSeconds: 60 };

async function countAtOnce(limiters: Limiter[], times: number): Promise<number> {
  const usages = await Promise.all(
    Array.from({ length: times }, (_, n) => limiters[n % limiters.length]?.count('somebody')),
  );
  return usages.filter((usage) => usage?.isWithin).length;
}

test('exactly the limit is admitted over several connections, however many calls there are at once', async () => {
  const name = stores.redisPrefix;
  const limiters = [
    createLimiter(await connected(), { name, ...options }),
    createLimiter(await connected(), { name, ...options }),
  ];
  expect(await countAtOnce(limiters, 40)).toBe(7);
  const [limiter] = limiters;
  expect(await limiter?.look('somebody')).toMatchObject({ isWithin: false, left: 0 });
  expect(await limiter?.look('somebody else')).toMatchObject({ isWithin: true, left: 7 });
});

test('a call that is given back is free again, and a look counts nothing', async () => {
  const limiter = createLimiter(await connected(), { name: stores.redisPrefix, ...options });
  for (let n = 0; n < 7; n += 1) expect(await limiter.count('a')).toMatchObject({ isWithin: true, left: 6 - n });
  await limiter.uncount('a');
  for (let n = 0; n < 3; n += 1) expect(await limiter.look('a')).toMatchObject({ isWithin: true, left: 1 });
  expect((await limiter.count('a')).isWithin).toBe(true);
  expect((await limiter.count('a')).isWithin).toBe(false);
});

test('the window begins with the first call and is not prolonged by others', async () => {
  const redis = await connected();
  const limiter = createLimiter(redis, { name: stores.redisPrefix, ...options });
  await limiter.count('a');
  const [key = ''] = await redis.keys(`${stores.redisPrefix}*`);
  await redis.pexpire(key, 20_000);
  const { resetMs } = await limiter.count('a');
  expect(resetMs).toBeLessThanOrEqual(20_000);
  expect(resetMs).toBeGreaterThan(0);
  await redis.pexpire(key, 1);
  while ((await limiter.look('a')).left < 7);
  expect((await limiter.count('a')).left).toBe(6);
});

test('while Redis is away, a process at once counts for itself', async () => {
  const redis = await connected();
  const limiter = createLimiter(redis, { name: stores.redisPrefix, ...options });
  redis.disconnect();
  expect(await countAtOnce([limiter], 40)).toBe(7);
  await limiter.uncount('somebody');
  expect((await limiter.look('somebody')).left).toBeGreaterThanOrEqual(0);
});

test('a frozen Redis delays the first calls, and not those after them', async () => {
  const way = await stallingRedis(stores.redisUrl);
  const services = await openTestServices({ REDIS_URL: way.url });
  const limiter = createLimiter(services.redis, { name: services.config.REDIS_PREFIX, ...options });
  expect((await limiter.count('a')).left).toBe(6);
  way.stall();
  const within = [(await limiter.count('a')).isWithin];
  const takenMs = stopwatch();
  for (let n = 0; n < 20; n += 1) within.push((await limiter.count('a')).isWithin);
  // If every call waited for the command timeout of 1 s, this would take longer.
  expect(takenMs()).toBeLessThan(10_000);
  expect(within.filter(Boolean)).toHaveLength(7);
  way.goOn();
  await services.close();
  way.close();
});
