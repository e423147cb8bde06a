import { setTimeout as pause } from 'node:timers/promises';
import { startWorkers } from '../../workers/startWorkers';
import { openRedisProxy, type RedisProxy } from '../jobs/redisProxy';
import { earnRule, openWorld, type World } from '../support/world';

let world: World;
let proxy: RedisProxy;
let workers: Awaited<ReturnType<typeof startWorkers>> | undefined;

beforeEach(async () => {
  world = await openWorld({ rules: [earnRule] });
  proxy = await openRedisProxy(world.services.config.REDIS_URL ?? '');
});
afterEach(async () => {
  await workers?.close();
  workers = undefined;
  await proxy.down().catch(() => undefined);
  await world.close();
});

/** Posts an activity for later; answers when it is processed how many milliseconds that took. */
async function accept(memberID: unknown): Promise<number> {
  const startedAt = performance.now();
  const activity = { type: 'Accrual', memberID, value: 3 };
  const accepted = await world.server.as('client').post('/activity?async=true', activity);
  expect(accepted.status).toBe(202);
  while (performance.now() < startedAt + 15_000) {
    const { body } = await world.server.as('client').get(`/activity/status/${accepted.body.externalTxnId}`);
    if (body.status === 'Processed') return performance.now() - startedAt;
    await pause(10);
  }
  throw new Error('it was never processed');
}

test('what is accepted is processed on the hint, long before the next poll', async () => {
  workers = await startWorkers(world.services);
  const { _id } = await world.addMember();
  await accept(_id);
  await pause(300);
  const times = [await accept(_id), await accept(_id), await accept(_id)];
  expect(Math.min(...times)).toBeLessThan(600);
});

test('a worker that never reaches Redis drains the inbox, and closes within 10 s', async () => {
  await proxy.down();
  const { config } = world.services;
  workers = await startWorkers({ ...world.services, config: { ...config, REDIS_URL: proxy.url } });
  const { _id } = await world.addMember();
  expect(await accept(_id)).toBeLessThan(10_000);
  const startedAt = performance.now();
  await workers.close();
  workers = undefined;
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});
