import { setTimeout as sleep } from 'node:timers/promises';
import { reconcile } from '#members/reconcile/reconcile';
import { client } from '../support/client';
import { type OwnRedis, startOwnRedis } from '../support/ownRedis';
import { type ServiceProcess, startApi, startProcess } from '../support/processes';
import { testPassword } from '../support/services';
import { untilAnswered } from '../support/untilAnswered';
import { earnRule, openWorld, type World } from '../support/world';

const total = process.env.FAULTS === 'full' ? 20_000 : 1500;
const memberCount = 25;

let redis: OwnRedis;
let world: World;
let processes: ServiceProcess[] = [];

beforeAll(async () => {
  redis = await startOwnRedis();
  world = await openWorld({ rules: [earnRule], config: { REDIS_URL: redis.url, RATE_LIMIT: 0 } });
});
afterAll(async () => {
  await Promise.all(processes.map((each) => each.kill()));
  await world?.close();
  await redis?.close();
});

test('a Redis that is killed and emptied loses nothing that was accepted, and a token that was logged out stays out', async () => {
  const { config, users } = world.services;
  const [api, worker] = await Promise.all([startApi(config), startProcess('workers/main.ts', config)]);
  processes = [api, worker];
  const own = client(api.url, users.client.token);
  const { body: login } = await client(api.url).post('/login', {
    username: users.reader.username,
    password: testPassword,
  });
  const loggedOut = client(api.url, login.token);
  expect((await loggedOut.get('/members?limit=1')).status).toBe(200);
  expect((await loggedOut.get('/myaccount/logout')).status).toBe(200);

  const members = await Promise.all(Array.from({ length: memberCount }, () => world.addMember()));
  const expected = members.map(() => 0);
  for (let sent = 0; sent < total; sent += 250) {
    const activities = Array.from({ length: 250 }, (_unused, n) => {
      const value = 1 + ((sent + n) % 9);
      const index = (sent + n) % memberCount;
      expected[index] = (expected[index] ?? 0) + value;
      return { type: 'Accrual', memberID: members[index]?._id, value, externalTxnId: `emptied-${sent + n}` };
    });
    const { status } = await untilAnswered(() => own.post('/activities/bulk?async=true', activities));
    expect(status).toBe(202);
    if (sent === 500) {
      await redis.kill();
      await redis.restart({ isEmptied: true });
    }
  }
  expect((await untilAnswered(() => loggedOut.get('/members?limit=1'))).status).toBe(401);
  const giveUpAt = Date.now() + 60_000 + total * 20;
  const count = async () => (await own.get('/activityhistories/count')).body.count;
  while ((await count()) < total && Date.now() < giveUpAt) await sleep(100);
  expect(await count()).toBe(total);
  const purses = await Promise.all(members.map(({ _id }) => own.get(`/members/${_id}/purses`)));
  expect(purses.map(({ body }) => body[0].balance)).toEqual(expected);
  expect((await reconcile(world.services, {})).mismatches).toBe(0);
});
