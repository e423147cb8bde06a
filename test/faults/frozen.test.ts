import { setTimeout as sleep } from 'node:timers/promises';
import { collectionOf } from '../../src/db/collections';
import { reconcile } from '../../src/reconcile/runReconcile';
import { submissionResource } from '../../src/records/activities/submission';
import { type Node, startReplicaSet, type TestReplicaSet } from '../support/replicaSet';
import { earnRule, openWorld, type World } from '../support/world';

/** Seconds that a store is away; `FAULT_SCALE` makes runs longer. */
const awaySeconds = 8 * Number(process.env.FAULT_SCALE ?? 1);
/** DESIGN 3 says 5 s; the rest is for a machine that is busy with other tests. */
const answeredWithinMs = 5000 + 2500;
const backWithinMs = 3000 + 4000;

let set: TestReplicaSet;
let world: World;

beforeAll(async () => {
  set = await startReplicaSet();
  world = await openWorld({ rules: [earnRule], config: { MONGODB_URI: set.uri('frozen') } });
}, 240_000);

afterAll(async () => {
  await world?.close();
  await set?.close();
});

interface Answered {
  value: number;
  status: number;
  ms: number;
}

/** Clients that post and read one after the other until they are told to end. */
function startLoad(memberID: unknown) {
  const client = world.server.as('client');
  const answers: Answered[] = [];
  const accepted: string[] = [];
  let isEnding = false;
  let sent = 0;
  const timed = async (request: (value: number) => Promise<{ status: number }>) => {
    while (!isEnding) {
      sent += 1;
      const value = sent;
      const startedAt = performance.now();
      const { status } = await request(value);
      answers.push({ value, status, ms: performance.now() - startedAt });
      await sleep(50);
    }
  };
  const post = (value: number) => client.post('/activity', { type: 'Accrual', memberID, value });
  const accept = async (value: number) => {
    const key = `frozen-${value}-${memberID}`;
    const answer = await client.post('/activity?async=true', { type: 'Accrual', memberID, value, externalTxnId: key });
    if (answer.status === 202) accepted.push(key);
    return answer;
  };
  const read = () => client.get('/members?limit=5');
  const ended = Promise.all([timed(post), timed(post), timed(accept), timed(accept), timed(read)]);
  return {
    answers,
    accepted,
    async end() {
      isEnding = true;
      await ended;
    },
  };
}

/** What is done to the set, and what ends it. */
const faults: Record<string, (primary: Node) => Promise<() => Promise<void>>> = {
  'the primary is frozen': async (primary) => {
    primary.freeze();
    return async () => primary.thaw();
  },
  'all are frozen': async () => {
    for (const node of set.nodes) node.freeze();
    return async () => {
      for (const node of set.nodes) node.thaw();
    };
  },
  'the primary is killed': async (primary) => {
    await primary.kill();
    return () => primary.restart();
  },
  'the primary steps down': async () => {
    await set.stepDown();
    return async () => undefined;
  },
  'the secondaries are frozen': async (primary) => {
    const others = set.nodes.filter((node) => node !== primary);
    for (const node of others) node.freeze();
    return async () => {
      for (const node of others) node.thaw();
    };
  },
};

test.each(Object.keys(faults))(
  '%s: every request is answered within 5 s, and what was answered is there',
  async (name) => {
    const member = await world.addMember();
    await world.server.as('client').get(`/members/${member._id}`);
    const load = startLoad(member._id);
    await sleep(1000);
    const end = await faults[name]?.(await set.primary());
    await sleep(awaySeconds * 1000);
    await end?.();
    await set.primary();
    const backAt = performance.now();
    while ((await world.server.as('client').get(`/members/${member._id}`)).status !== 200) await sleep(20);
    const again = { type: 'Accrual', memberID: member._id, value: 0 };
    while ((await world.server.as('client').post('/activity', again)).status !== 200) await sleep(20);
    const backMs = performance.now() - backAt;
    await load.end();

    expect(backMs).toBeLessThan(backWithinMs);
    const statuses = new Set(load.answers.map(({ status }) => status));
    expect([...statuses].filter((status) => ![200, 202, 503].includes(status))).toEqual([]);
    const slowest = Math.max(...load.answers.map(({ ms }) => ms));
    process.stderr.write(`${name}: slowest answer ${Math.round(slowest)} ms, back after ${Math.round(backMs)} ms\n`);
    expect(slowest).toBeLessThan(answeredWithinMs);
    const stored = await collectionOf(world.services.db, submissionResource).countDocuments({
      org: world.services.org._id,
      key: { $in: load.accepted },
    });
    expect(stored).toBe(load.accepted.length);
    expect((await reconcile(world.services, {})).mismatches).toBe(0);
  },
  120_000,
);

test('what may take longer than 5 s is refused within them when the stores are away', async () => {
  const { nodes } = set;
  const admin = world.server.as('admin');
  await admin.get('/members?limit=1');
  for (const node of nodes) node.freeze();
  const ask = async (path: string, body: unknown) => {
    const startedAt = performance.now();
    const { status } = await admin.post(path, body);
    return { path, status, isInTime: performance.now() - startedAt < answeredWithinMs };
  };
  const asked: [string, unknown][] = [
    ['/jobs/expiry/run', undefined],
    ['/refreshcache?entity=Rule', undefined],
    ['/rules/check', {}],
  ];
  const answers = await Promise.all(asked.map(([path, body]) => ask(path, body)));
  for (const node of nodes) node.thaw();
  await set.primary();
  expect(answers).toEqual(asked.map(([path]) => ({ path, status: 503, isInTime: true })));
}, 60_000);
