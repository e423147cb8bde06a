import { collectionOf } from '../../src/db/collections';
import { reconcile } from '../../src/reconcile/runReconcile';
import { activityHistoryResource } from '../../src/records/activities/activityHistory';
import type { Response } from '../support/client';
import { type Failure, startReplicaSet, type TestReplicaSet } from '../support/replicaSet';
import { earnRule, openWorld, redeemRule, type World } from '../support/world';

let set: TestReplicaSet;
let world: World;

beforeAll(async () => {
  set = await startReplicaSet();
  world = await openWorld({ rules: [earnRule, redeemRule], config: { MONGODB_URI: set.uri('commits') } });
}, 240_000);

afterAll(async () => {
  await set?.heal();
  await world?.close();
  await set?.close();
});

const writeConcernError = (code: number) => ({ writeConcernError: { code, errmsg: 'made to fail' } });

/** What may become of a commit; those with a write concern error took effect. */
const failures: Record<string, Omit<Failure, 'failCommands'>> = {
  'no majority in time': writeConcernError(64),
  'too slow for the majority': writeConcernError(50),
  'too slow': { errorCode: 50 },
  'the connection is closed': { closeConnection: true },
  'not the primary': { errorCode: 10107 },
  'interrupted by a change of state': { errorCode: 11602 },
  'no such transaction': { errorCode: 251, errorLabels: ['TransientTransactionError'] },
};

/** The server itself answers, and at once: the driver need not look for another primary before it goes on. */
const isTold = ({ errorCode, writeConcernError: concern }: Omit<Failure, 'failCommands'>) =>
  concern !== undefined || errorCode === 50;

const cases = Object.entries(failures).flatMap(([name, failure]) =>
  [1, 20, 200].map((times) => ({ name, times, failure })),
);

const fresh = { readConcern: { level: 'local' } } as const;

/** How often each of these values was posted with effect. */
async function effects(member: unknown, values: number[]) {
  const found = await collectionOf(world.services.db, activityHistoryResource)
    .find({ memberID: member as never }, fresh)
    .toArray();
  return values.map((sent) => found.filter(({ value, status }) => value === sent && status === 'Processed').length);
}

const balanceOf = async (member: { _id: unknown }) =>
  (await world.server.as('client').get(`/members/${member._id}/purses`)).body[0].balance;

/** Both as of one moment: what was answered with 503 may still be carried out. */
async function outcomeOf(member: { _id: unknown }, values: number[]) {
  for (;;) {
    const applied = await effects(member._id, values);
    const balance = await balanceOf(member);
    if (sum(applied) === sum(await effects(member._id, values))) return { applied, balance };
  }
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

test.each(cases)(
  'commits, $name, $times times: what is sent once is applied once',
  async ({ times, failure }) => {
    const members = await Promise.all([world.addMember(), world.addMember(), world.addMember()]);
    const values = Array.from({ length: 20 }, (_unused, n) => n + 1);
    const client = world.server.as('client');
    await set.fail({ failCommands: ['commitTransaction'], ...failure }, times);
    const answers = await Promise.all(
      members.flatMap(({ _id }) =>
        values.map((value) => client.post('/activity', { type: 'Accrual', memberID: _id, value })),
      ),
    );
    await set.heal();

    for (const [index, { _id }] of members.entries()) {
      const { applied, balance } = await outcomeOf({ _id }, values);
      const own = answers.slice(index * values.length, (index + 1) * values.length);
      for (const [n, { status, body }] of own.entries()) {
        expect([200, 503]).toContain(status);
        expect(applied[n]).toBeLessThanOrEqual(1);
        if (status === 200)
          expect({ applied: applied[n], errors: body.result.errors }).toEqual({ applied: 1, errors: [] });
      }
      expect(balance).toBe(sum(values.map((value, n) => value * (applied[n] ?? 0))));
    }
    // What is in doubt is looked up. On a busy machine some may take longer than a request may, and are given up.
    if (times === 1 || (times === 20 && isTold(failure))) expect(answers.map(({ status }) => status)).toContain(200);
  },
  60_000,
);

test.each(cases.filter(({ times, failure }) => times === 20 && isTold(failure)))(
  'commits of cancellations, redemptions and errors, $name, $times times: each once, answered as done',
  async ({ failure }) => {
    const [member, other] = [await world.addMember(), await world.addMember()];
    const client = world.server.as('client');
    const earn = (memberID: unknown) => client.post('/activity', { type: 'Accrual', memberID, value: 100 });
    const earned: Response[] = [];
    for (let n = 0; n < 6; n += 1) earned.push(await earn(other._id));
    await earn(member._id);
    await set.fail({ failCommands: ['commitTransaction'], ...failure }, 20);
    const [cancels, redemptions, refused] = await Promise.all([
      Promise.all(earned.map(({ body }) => client.post(`/activity/${body.result.data.activityId}/cancel`))),
      Promise.all([1, 2, 3].map((n) => client.post('/activity', redemption(member._id, n)))),
      Promise.all([1, 2].map(() => client.post('/activity', redemption(member._id, 5000)))),
    ]);
    await set.heal();
    for (const { status, body } of [...cancels, ...redemptions]) {
      expect({ status, errors: body.result?.errors }).toEqual({ status: 200, errors: [] });
    }
    for (const { status, body } of refused) expect([status, body.result.errors[0].code]).toEqual([200, 2100]);
    expect([await balanceOf(member), await balanceOf(other)]).toEqual([94, 0]);
  },
  60_000,
);

const redemption = (memberID: unknown, value: number) => ({ type: 'Redemption', memberID, value });

test('secondaries locked: what was answered is applied once, what was not at most once', async () => {
  const member = await world.addMember();
  const client = world.server.as('client');
  const values = Array.from({ length: 12 }, (_unused, n) => n + 1);
  const secondaries = await set.secondaries();
  for (const node of secondaries) await node.command({ fsync: 1, lock: true });
  const startedAt = performance.now();
  const answers = Promise.all(
    values.map((value) => client.post('/activity', { type: 'Accrual', memberID: member._id, value })),
  );
  const statuses = (await answers).map(({ status }) => status);
  const seconds = (performance.now() - startedAt) / 1000;
  for (const node of secondaries) await node.command({ fsyncUnlock: 1 });
  expect(new Set(statuses)).toEqual(new Set([503]));
  expect(seconds).toBeLessThan(6);
  const again = await client.post('/activity', { type: 'Accrual', memberID: member._id, value: 1000 });
  expect(again.status).toBe(200);
  const { applied, balance } = await outcomeOf(member, values);
  expect(Math.max(...applied)).toBeLessThanOrEqual(1);
  expect(balance).toBe(1000 + sum(values.map((value, n) => value * (applied[n] ?? 0))));
}, 60_000);

test('the ledger agrees after all of it', async () => {
  expect((await reconcile(world.services, {})).mismatches).toBe(0);
});
