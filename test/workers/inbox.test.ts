import { setTimeout as pause } from 'node:timers/promises';
import { startInboxWorker } from '../../workers/inboxWorker';
import { startWorkers } from '../../workers/startWorkers';
import { pollMs } from '../../workers/wokenWorker';
import { openRedisProxy, type RedisProxy } from '../support/redisProxy';
import { earnRule, openWorld, type World } from '../support/world';

let world: World;
let proxy: RedisProxy;
let workers: ReturnType<typeof startInboxWorker> | undefined;

beforeEach(async () => {
  world = await openWorld({ rules: [earnRule] });
  proxy = await openRedisProxy(world.services.config.REDIS_URL ?? '');
});
afterEach(async () => {
  jest.restoreAllMocks();
  await workers?.close();
  workers = undefined;
  await proxy.down().catch(() => undefined);
  await world.close();
});

/** Posts an activity for later and waits until it is processed. */
async function accept(memberID: unknown): Promise<void> {
  const activity = { type: 'Accrual', memberID, value: 3 };
  const accepted = await world.server.as('client').post('/activity?async=true', activity);
  expect(accepted.status).toBe(202);
  const tooLong = AbortSignal.timeout(15_000);
  while (!tooLong.aborted) {
    const { body } = await world.server.as('client').get(`/activity/status/${accepted.body.externalTxnId}`);
    if (body.status === 'Processed') return;
    await pause(10);
  }
  throw new Error('it was never processed');
}

test('an accepted activity is processed on the hint, without waiting for the next poll', async () => {
  jest.replaceProperty(pollMs as { withRedis: number }, 'withRedis', 3_600_000);
  workers = startInboxWorker(world.services);
  const { _id } = await world.addMember();
  for (let n = 0; n < 3; n += 1) await accept(_id);
});

test('a worker that never reaches Redis drains the inbox, and closes', async () => {
  await proxy.down();
  const { config } = world.services;
  workers = await startWorkers({ ...world.services, config: { ...config, REDIS_URL: proxy.url } });
  const { _id } = await world.addMember();
  await accept(_id);
  await expect(workers.close()).resolves.toBeUndefined();
  workers = undefined;
});
