import { setImmediate as nextTurn } from 'node:timers/promises';
import { ObjectId } from 'bson';
import type { Plan } from '#activities/commit/plan';
import { createBatchTurns } from '#activities/pipeline/batchTurns';
import { commitRetries } from '#activities/pipeline/pipelineMetrics';
import { recordLeaseResource } from '#activities/pipeline/recordLeases';
import { collectionOf } from '#base/db/collections';
import { readLocal } from '#base/db/readLocal';
import { type LimitCounter, limitCounterResource } from '#records/activities/limitCounter';
import { ruleWhen } from '../../support/ruleWhen';
import { openWorld, type World } from '../../support/world';

let world: World;
beforeAll(async () => {
  world = await openWorld({ rules: [ruleWhen('campaign', { budget: { points: 1000 } })] });
});
afterAll(() => world.close());

/** A plan that writes these counters and nothing else. */
const planOf = (...ids: ObjectId[]): Plan => ({
  org: world.author.org,
  now: new Date(),
  changes: [],
  histories: [],
  originals: [],
  counters: ids.map((id) => ({ id, seen: 0, used: 1 })),
  windows: [],
  issued: [],
  submissions: [],
  replaced: [],
  occasions: [],
  finished: { Processed: [], Error: [] },
  refused: [],
  failedRows: [],
  cancels: new Map(),
  lowBudgets: [],
});

/** Reads a counter that is used so much. */
const used = (_id: ObjectId, amount: number) => async (): Promise<LimitCounter[]> => [
  { _id, used: amount } as LimitCounter,
];

const leased = async (...ids: ObjectId[]) => {
  const found = await collectionOf(world.services.db, recordLeaseResource)
    .find({ _id: { $in: ids }, holder: { $exists: true } }, readLocal)
    .toArray();
  return found.map(({ _id }) => _id.toHexString());
};

test('batches of a process that share a budget need no second attempt, and use it up exactly', async () => {
  const members = await Promise.all(Array.from({ length: 40 }, () => world.addMember()));
  const retries = async () => (await commitRetries.get()).values[0]?.value ?? 0;
  const before = await retries();
  const answers = await Promise.all(
    Array.from({ length: 400 }, (_unused, n) =>
      world.server
        .as('client')
        .post('/activity', { type: 'Accrual', memberID: members[n % 40]?._id, value: 3, ext: { rule: 'campaign' } }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await retries()).toBe(before);
  const counters = await collectionOf(world.services.db, limitCounterResource)
    .find({ org: world.author.org })
    .toArray();
  expect(counters.map((counter) => counter.used)).toEqual([1000]);
});

test('a batch reads a counter when the earlier batch of its process that shares it has ended', async () => {
  const openTurn = createBatchTurns(world.services.db);
  const [shared, other] = [new ObjectId(), new ObjectId()];
  const [first, second, third] = [openTurn(), openTurn(), openTurn()];
  const order: string[] = [];
  await first.readCounters([shared], used(shared, 0));
  const waiting = second.readCounters([shared], async () => {
    order.push('read');
    return [];
  });
  // One that shares nothing does not wait.
  await third.readCounters([other], used(other, 0));
  await nextTurn();
  order.push('first ends');
  await first.end();
  await waiting;
  expect(order).toEqual(['first ends', 'read']);
  await Promise.all([second.end(), third.end()]);
});

test('a read of a batch that has ended makes nobody wait', async () => {
  const openTurn = createBatchTurns(world.services.db);
  const counter = new ObjectId();
  const ended = openTurn();
  await ended.end();
  expect(await ended.readCounters([counter], used(counter, 7))).toHaveLength(1);
  const next = openTurn();
  expect(await next.readCounters([counter], used(counter, 7))).toHaveLength(1);
  await next.end();
});

test('a counter that another process changed during a conflict is leased, others and those of the plan that stayed are not', async () => {
  const openTurn = createBatchTurns(world.services.db);
  const [changed, stayed, unwritten] = [new ObjectId(), new ObjectId(), new ObjectId()];
  const ids = [changed, stayed, unwritten];
  const turn = openTurn();
  await turn.readCounters(ids, used(changed, 1));
  turn.noteConflict(planOf(changed, stayed), []);
  expect(await leased(...ids)).toEqual([]);
  let reads = 0;
  const again = await turn.readCounters(ids, async () => {
    reads += 1;
    return [
      { _id: changed, used: 2 },
      { _id: unwritten, used: 5 },
    ] as LimitCounter[];
  });
  // It reads again when it has the lease.
  expect([again.length, reads]).toEqual([2, 2]);
  expect(await leased(...ids)).toEqual([changed.toHexString()]);
  await turn.end();
  expect(await leased(...ids)).toEqual([]);
});

test('a process waits for the lease of a busy counter before it reads it, and has it before the process that was faster', async () => {
  const processes = [createBatchTurns(world.services.db), createBatchTurns(world.services.db)] as const;
  const counter = new ObjectId();
  for (const openTurn of processes) {
    const turn = openTurn();
    await turn.readCounters([counter], used(counter, 1));
    turn.noteConflict(planOf(counter), []);
    await turn.readCounters([counter], used(counter, 2));
    await turn.end();
  }
  const [quick, slow] = [processes[0](), processes[1]()];
  const order: string[] = [];
  await quick.readCounters([counter], used(counter, 2));
  const slowRead = slow.readCounters([counter], used(counter, 3)).then(() => order.push('slow'));
  const isNext = { _id: counter, next: { $exists: true } };
  while (!(await collectionOf(world.services.db, recordLeaseResource).findOne(isNext as object, readLocal)));
  await quick.end();
  const again = processes[0]();
  const retaken = again.readCounters([counter], used(counter, 3)).then(() => order.push('quick'));
  await slowRead;
  await slow.end();
  await retaken;
  await again.end();
  expect(order).toEqual(['slow', 'quick']);
});
