import { setTimeout as sleep } from 'node:timers/promises';
import { collectionOf } from '#base/db/collections';
import { reconcile } from '#members/reconcile/reconcile';
import { submissionResource } from '#records/activities/submission';
import { type ServiceProcess, startProcess } from '../support/processes';
import { earnRule, openWorld, type World } from '../support/world';

const isFull = process.env.FAULTS === 'full';
const kills = isFull ? 20 : 1;
const total = isFull ? 20_000 : 2000;
const memberCount = 50;

let world: World;
let worker: ServiceProcess | undefined;

beforeAll(async () => {
  world = await openWorld({ rules: [earnRule] });
});

afterAll(async () => {
  await worker?.stop();
  await world.close();
});

const countQueued = () =>
  collectionOf(world.services.db, submissionResource).countDocuments({ org: world.services.org._id, status: 'Queued' });

test('a worker killed in the middle of thousands of queued activities leaves each processed exactly once', async () => {
  const members = await Promise.all(Array.from({ length: memberCount }, () => world.addMember()));
  const bodies = Array.from({ length: total }, (_unused, n) => ({
    type: 'Accrual',
    memberID: members[n % memberCount]?._id,
    value: 1 + (n % 7),
    externalTxnId: `queued-${n}`,
  }));
  for (let sent = 0; sent < total; sent += 1000) {
    const page = bodies.slice(sent, sent + 1000);
    const { status } = await world.server.as('client').post('/activities/bulk?async=true', page);
    expect(status).toBe(202);
  }

  for (let kill = 1; kill <= kills; kill += 1) {
    worker = await startProcess('workers/main.ts', world.services.config);
    const leftMax = total - (0.3 * total * kill) / kills;
    while ((await countQueued()) > leftMax) await sleep(5);
    await worker.kill();
  }
  expect(await countQueued()).toBeGreaterThan(0);
  worker = await startProcess('workers/main.ts', world.services.config);
  const deadline = Date.now() + 45_000 + 5 * total;
  while ((await countQueued()) > 0 && Date.now() < deadline) await sleep(50);

  expect(await countQueued()).toBe(0);
  for (const [n, member] of members.entries()) {
    const expected = bodies
      .filter((_body, index) => index % memberCount === n)
      .reduce((sum, { value }) => sum + value, 0);
    const { body } = await world.server.as('client').get(`/members/${member._id}/purses`);
    expect(body[0].balance).toBe(expected);
  }
  const { body } = await world.server.as('client').get('/activityhistories/count');
  expect(body.count).toBe(total);
  expect((await reconcile(world.services, {})).mismatches).toBe(0);
});
