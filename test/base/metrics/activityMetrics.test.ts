import { register } from 'prom-client';
import { createInboxDrain } from '#activities/inbox/inboxDrain';
import { inboxGauges } from '#activities/inbox/inboxGauges';
import { collectionOf } from '#base/db/collections';
import { storeGaugeLimits } from '#base/metrics/storeGauges';
import { rollUp } from '#members/aggregates/rollUp/rollUp';
import { reconcileGauges } from '#operations/jobs/reconcileGauges';
import { runJob } from '#operations/jobs/runJob';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { type Serving, serveWorker } from '#server/serve';
import { openServices } from '#server/services/services';
import { parseScrape, scrape, valueIn } from '../../support/scrape';
import { earnRule, openWorld, redeemRule, type World } from '../../support/world';

let world: World;
let worker: Serving;
beforeAll(async () => {
  jest.replaceProperty(storeGaugeLimits as { everyMs: number }, 'everyMs', 0);
  jest.replaceProperty(reconcileGauges, 'everyMs', 0);
  world = await openWorld({ rules: [earnRule, redeemRule], config: { WORKER_PORT: 0 } });
  worker = await serveWorker(world.services);
});
afterAll(async () => {
  jest.restoreAllMocks();
  await worker.close();
  await world.close();
});

const seen = () => scrape(world.server.url);

/** How much each named series grew while `work` ran. */
async function growth(series: readonly string[], work: () => Promise<void>): Promise<Record<string, number>> {
  const before = await seen();
  await work();
  const after = await seen();
  return Object.fromEntries(series.map((each) => [each, valueIn(after, each) - valueIn(before, each)]));
}

const activities = (type: string, status: string) => `loyalty_activities_total{type="${type}",status="${status}"}`;
const errors = (code: number) => `loyalty_processing_errors_total{code="${code}"}`;
const fired = 'loyalty_rules_fired_total{program="main"}';

test('activities count by type and status, errors by code, rules by program; a repeated answer counts once', async () => {
  const { _id: memberID } = await world.addMember();
  const client = world.server.as('admin');
  const counted = await growth(
    [
      ...['Processed', 'Error', 'Refused'].map((status) => activities('Accrual', status)),
      activities('Redemption', 'Error'),
      activities('Cancellation', 'Processed'),
      activities('Cancellation', 'Error'),
      errors(2100),
      errors(2300),
      errors(1500),
      fired,
      'loyalty_batch_size_sum',
      'loyalty_batch_size_count',
      'loyalty_commit_duration_seconds_count',
      'loyalty_rule_evaluation_seconds_count',
    ],
    async () => {
      const { body } = await client.post('/activity', { type: 'Accrual', memberID, value: 3, externalTxnId: 'once' });
      await client.post('/activity', { type: 'Accrual', memberID, value: 3, externalTxnId: 'once' });
      await client.post('/activity', { type: 'Redemption', memberID, value: 100 });
      await client.post('/activity', { type: 'Accrual', memberID: 'a'.repeat(24), value: 1 });
      await client.post(`/activity/${body.result.data.activityId}/cancel`, {});
      await client.post(`/activity/${body.result.data.activityId}/cancel`, {});
    },
  );
  expect(counted).toEqual({
    [activities('Accrual', 'Processed')]: 1,
    [activities('Accrual', 'Error')]: 0,
    [activities('Accrual', 'Refused')]: 1,
    [activities('Redemption', 'Error')]: 1,
    [activities('Cancellation', 'Processed')]: 1,
    [activities('Cancellation', 'Error')]: 1,
    [errors(2100)]: 1,
    [errors(2300)]: 1,
    [errors(1500)]: 1,
    [fired]: 1,
    loyalty_batch_size_sum: 3,
    loyalty_batch_size_count: 3,
    loyalty_commit_duration_seconds_count: 3,
    // The cancellation runs rules too.
    loyalty_rule_evaluation_seconds_count: 3,
  });
});

test('the counters agree with the stored histories, whatever collides', async () => {
  const { _id: memberID } = await world.addMember();
  const stored = async (status: 'Processed' | 'Error') =>
    collectionOf(world.services.db, activityHistoryResource).countDocuments({ memberID, status });
  const names = [activities('Redemption', 'Processed'), activities('Redemption', 'Error'), errors(2100)];
  const counted = await growth(names, async () => {
    await world.server.as('client').post('/activity', { type: 'Accrual', memberID, value: 5 });
    const posts = Array.from({ length: 20 }, () => ({ type: 'Redemption', memberID, value: 1 }));
    await Promise.all(posts.map((body) => world.server.as('client').post('/activity', body)));
  });
  expect(await stored('Processed')).toBe(1 + 5);
  expect(names.map((name) => counted[name])).toEqual([5, 15, 15]);
  expect(await stored('Error')).toBe(15);
});

test('the inbox shows what waits and since when, in API and worker, and nothing once it is drained', async () => {
  const { _id: memberID } = await world.addMember();
  const posted = Array.from({ length: 7 }, () => ({ type: 'Accrual', memberID, value: 1 }));
  await world.server.as('client').post('/activities/bulk?async=true', posted);
  const { clock } = world.services;
  clock.set(new Date(clock.now().getTime() + 90_000));
  const inbox = async (url: string) => {
    const metrics = await scrape(url);
    return ['waiting', 'oldest_seconds'].map((name) => valueIn(metrics, `loyalty_inbox_${name}`));
  };
  expect(await inbox(world.server.url)).toEqual([7, expect.closeTo(90, 0)]);
  expect(await inbox(worker.url)).toEqual([7, expect.closeTo(90, 0)]);
  // A clock that is behind that of the process which accepted them.
  const behind = { ...world.services, clock: { now: () => new Date(0) }, openedAt: new Date(0) };
  expect(await inboxGauges.read(behind)).toMatchObject({ loyalty_inbox_oldest_seconds: [{ value: 0 }] });
  const drain = createInboxDrain(world.services);
  await drain.drain();
  await drain.close();
  expect(await inbox(worker.url)).toEqual([0, 0]);
});

test('the roll-up lags behind the oldest commit that is not rolled up', async () => {
  const { services, author } = world;
  const { org } = author;
  await rollUp(services, { org, now: services.clock.now() });
  const lag = async () => valueIn(await seen(), 'loyalty_rollup_lag_seconds');
  expect(await lag()).toBe(0);
  const { _id: memberID } = await world.addMember();
  await world.server.as('client').post('/activity', { type: 'Accrual', memberID, value: 1 });
  services.clock.set(new Date(services.clock.now().getTime() + 40_000));
  expect(await lag()).toBeCloseTo(40, 0);
  await rollUp(services, { org, now: services.clock.now() });
  expect(await lag()).toBe(0);
});

test('a reconciliation that finds a mismatch is seen until the next one that finds none', async () => {
  const { services, author } = world;
  const { _id } = await world.addMember();
  await world.server.as('client').post('/activity', { type: 'Accrual', memberID: _id, value: 10 });
  const members = services.db.collection('members');
  const mismatches = async () => {
    services.clock.set(new Date(services.clock.now().getTime() + 1000));
    await runJob(services, 'reconcile', author.org);
    return valueIn(await seen(), 'loyalty_reconcile_mismatches');
  };
  expect(await mismatches()).toBe(0);
  await members.updateOne({ _id }, { $inc: { 'purses.0.availBalance': 5 } });
  expect(await mismatches()).toBeGreaterThan(0);
  await members.updateOne({ _id }, { $inc: { 'purses.0.availBalance': -5 } });
  expect(await mismatches()).toBe(0);
});

test('the timers of a process are late since its start, until they succeed', async () => {
  const { clock, db } = world.services;
  const lag = async (job: string) => valueIn(await seen(), `loyalty_timer_lag_seconds{job="${job}"}`);
  await db.collection('jobheartbeats').deleteMany({});
  expect(await lag('escrow')).toBeGreaterThan(0);
  const beat = { lastFinishedAt: clock.now(), everyMs: 60_000 };
  await db.collection<{ _id: string }>('jobheartbeats').insertOne({ _id: 'daychange', ...beat });
  expect([await lag('escrow'), await lag('expiry')]).toEqual([0, 0]);
  clock.set(new Date(clock.now().getTime() + 100_000));
  expect(await lag('tiers')).toBeCloseTo(40, 0);
});

test('connections in use and commands that wait for one are counted', async () => {
  const beside = await openServices({ ...world.services.config, MONGODB_MAX_POOL: 1 });
  let isOver = false;
  const ping = () => beside.db.db?.admin().command({ ping: 1 });
  const load = (async () => {
    while (!isOver) await Promise.all(Array.from({ length: 50 }, ping));
  })();
  const state = async () => {
    const metrics = parseScrape(await register.metrics());
    const inUse = valueIn(metrics, 'loyalty_mongodb_connections{state="in_use"}');
    return inUse > 0 && valueIn(metrics, 'loyalty_mongodb_waiting') > 0;
  };
  while (!(await state())) await new Promise((resolve) => setImmediate(resolve));
  isOver = true;
  await load;
  await beside.close();
  expect(valueIn(await seen(), 'loyalty_mongodb_waiting')).toBe(0);
});

test('without a database a scrape still answers in time, with every other metric', async () => {
  const { db } = world.services;
  await db.close();
  const startedAt = performance.now();
  const metrics = await seen();
  expect(performance.now() - startedAt).toBeLessThan(storeGaugeLimits.waitMs + 5000);
  expect(valueIn(metrics, 'loyalty_batch_size_count')).toBeGreaterThan(0);
});
