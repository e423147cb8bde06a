import { setTimeout as sleep } from 'node:timers/promises';
import { reconcile } from '#members/reconcile/reconcile';
import type { Member } from '#records/members/member';
import { stopwatch } from '../support/givenTime';
import { type OwnRedis, startOwnRedis } from '../support/ownRedis';
import { type ServiceProcess, startProcess } from '../support/processes';
import { startReplicaSet, type TestReplicaSet } from '../support/replicaSet';
import { untilAnswered } from '../support/untilAnswered';
import { earnRule, openWorld, type World } from '../support/world';

/** docs/design/http.md promises 5 s. The additional time is for a machine that is busy with other tests. */
const answeredWithinMs = 5000 + 2500;
const fullMs = 8000;

let set: TestReplicaSet;
let redis: OwnRedis;
let world: World;
let worker: ServiceProcess;
let member: Member;

beforeAll(async () => {
  [set, redis] = await Promise.all([startReplicaSet(), startOwnRedis()]);
  const config = { MONGODB_URI: set.uri('full'), REDIS_URL: redis.url, RATE_LIMIT: 0 };
  world = await openWorld({ rules: [earnRule], config });
  worker = await startProcess('workers/main.ts', world.services.config);
}, 240_000);
beforeEach(async () => {
  member = await world.addMember();
});
afterAll(async () => {
  await worker?.kill();
  await world?.close();
  await Promise.all([set?.close(), redis?.close()]);
});

interface Sent {
  key: string;
  value: number;
  path: string;
  status: number;
  ms: number;
}

const activityOf = ({ key, value }: Pick<Sent, 'key' | 'value'>) => ({
  type: 'Accrual',
  memberID: member._id,
  value,
  externalTxnId: key,
});

/** Four clients, half of which post asynchronously, until `isOver`. */
async function postAll(name: string, isOver: () => boolean): Promise<Sent[]> {
  const own = world.server.as('client');
  const sent: Sent[] = [];
  const post = async (n: number) => {
    const path = n % 2 === 0 ? '/activity' : '/activity?async=true';
    for (let count = 0; !isOver(); count += 1) {
      const next = { key: `${name}-${n}-${count}`, value: 1 + count };
      const takenMs = stopwatch();
      const { status } = await own.post(path, activityOf(next));
      sent.push({ ...next, path, status, ms: takenMs() });
      await sleep(30);
    }
  };
  await Promise.all([0, 1, 2, 3].map(post));
  return sent;
}

/** Sends each activity again until it is answered: none may be lost, and none may count twice. */
async function expectEachOnce(sent: readonly Sent[]) {
  const own = world.server.as('client');
  expect(Math.max(...sent.map(({ ms }) => ms))).toBeLessThan(answeredWithinMs);
  for (const each of sent) {
    const post = () => untilAnswered(() => own.post('/activity', activityOf(each)));
    let { status } = await post();
    // It is in the queue, or a worker is at it.
    for (; status === 409; { status } = await post()) await sleep(50);
    expect(status).toBe(200);
  }
  const { body } = await own.get(`/members/${member._id}/purses`);
  expect(body[0].balance).toBe(sent.reduce((sum, { value }) => sum + value, 0));
  expect((await reconcile(world.services, {})).mismatches).toBe(0);
}

test('while the disks of all mongods are full requests are refused in time, and what was answered before is there once', async () => {
  let isOver = false;
  const posting = postAll('mongod', () => isOver);
  await sleep(1500);
  for (const node of set.nodes) node.fillDisk();
  await sleep(fullMs);
  for (const node of set.nodes) await node.kill();
  for (const node of set.nodes) await node.restart();
  await set.primary();
  await untilAnswered(() => world.server.as('client').get(`/members/${member._id}`));
  isOver = true;
  const sent = await posting;
  const statuses = new Set(sent.map(({ status }) => status));
  expect([...statuses].filter((status) => ![200, 202, 503].includes(status))).toEqual([]);
  expect(statuses).toContain(503);
  await expectEachOnce(sent);
}, 240_000);

test('while the disk of Redis is full posts go on, and what is accepted is processed', async () => {
  let isOver = false;
  const posting = postAll('redis', () => isOver);
  await sleep(500);
  redis.fillDisk();
  await sleep(fullMs);
  redis.freeDisk();
  isOver = true;
  const sent = await posting;
  expect([...new Set(sent.map(({ status }) => status))].sort()).toEqual([200, 202]);
  await expectEachOnce(sent);
}, 120_000);
