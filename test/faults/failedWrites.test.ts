import { collectionOf } from '#base/db/collections';
import { reconcile } from '#members/reconcile/reconcile';
import { numberEvents } from '#platform/events/numberEvents';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { submissionResource } from '#records/activities/submission';
import { followEvents } from '../platform/events/following';
import { toldFaults } from '../platform/events/toldFaults';
import type { Response } from '../support/client';
import { commitCases as cases, someCommitCases, someTimes, writeConcernError } from '../support/commitFailures';
import { stopwatch } from '../support/givenTime';
import { type Failure, startReplicaSet, type TestReplicaSet } from '../support/replicaSet';
import { earnRule, openWorld, redeemRule, type World } from '../support/world';

let set: TestReplicaSet;
let world: World;

beforeAll(async () => {
  set = await startReplicaSet();
  world = await openWorld({ rules: [earnRule, redeemRule], config: { MONGODB_URI: set.uri('writes') } });
}, 240_000);

afterAll(async () => {
  await set?.heal();
  await world?.close();
  await set?.close();
});

/** True when the server answers with the error at once, so the driver does not search for another primary first. */
const isReported = ({ errorCode, writeConcernError: concern }: Omit<Failure, 'failCommands'>) =>
  concern !== undefined || errorCode === 50;

const fresh = { readConcern: { level: 'local' } } as const;

/** Counts, for each value, the processed activities with that value. */
async function effects(member: unknown, values: number[]) {
  const found = await collectionOf(world.services.db, activityHistoryResource)
    .find({ memberID: member as never }, fresh)
    .toArray();
  return values.map((sent) => found.filter(({ value, status }) => value === sent && status === 'Processed').length);
}

const balanceOf = async (member: { _id: unknown }) =>
  (await world.server.as('client').get(`/members/${member._id}/purses`)).body[0].balance;

/**
 * Reads effects and balance of one moment. It reads again when they change, since posts answered 503 may still commit.
 */
async function outcomeOf(member: { _id: unknown }, values: number[]) {
  for (;;) {
    const applied = await effects(member._id, values);
    const balance = await balanceOf(member);
    if (sum(applied) === sum(await effects(member._id, values))) return { applied, balance };
  }
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

test.each(cases)(
  'commits, $name, $times times: a request that is sent once is applied once',
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
    // The service looks up commits with an unknown outcome. On a busy machine some exceed the time limit of a request.
    if (times === 1 || (times === 20 && isReported(failure)))
      expect(answers.map(({ status }) => status)).toContain(200);
  },
);

test.each(cases.filter(({ times, failure }) => times === 20 && isReported(failure)))(
  'commits of cancels, redemptions and errors, $name, $times times: each is done once and answered as done',
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
);

test.each(cases.filter(({ times }) => times === 20))(
  'commits of posts with a key, $name, $times times: a post that is repeated until it is answered counts once',
  async ({ failure }) => {
    const members = await Promise.all([world.addMember(), world.addMember(), world.addMember()]);
    const add = ({ _id: member }: { _id: unknown }) => {
      const body = { member, purse: world.policies[0]?._id, accruedPoints: 40 };
      return world.server
        .as('ledger-admin')
        .post('/accrualitems', body, { headers: { 'idempotency-key': `${member}` } });
    };
    await set.fail({ failCommands: ['commitTransaction'], ...failure }, 20);
    await Promise.all(members.map(add));
    await set.heal();
    for (const member of members) {
      while ((await add(member)).status !== 201) expect(await balanceOf(member)).toBeLessThanOrEqual(40);
      expect(await balanceOf(member)).toBe(40);
    }
  },
);

const redemption = (memberID: unknown, value: number) => ({ type: 'Redemption', memberID, value });

/** The ways in which the insert of submissions can fail. In some of them the server has stored the row. */
const insertFailures: Record<string, Omit<Failure, 'failCommands'>> = {
  'the connection is closed': { closeConnection: true },
  'not the primary': { errorCode: 10107 },
  'shutting down': { errorCode: 91 },
  'stepped down': { errorCode: 189 },
  'interrupted by a change of state': { errorCode: 11602 },
  'too slow': { errorCode: 50 },
  'an error of no class': { errorCode: 2 },
  'stored, not by a majority: timed out': writeConcernError(64),
  'stored, not by a majority: too slow': writeConcernError(50),
  'stored, not by a majority: shutting down': writeConcernError(91),
};

const insertCases = Object.entries(insertFailures).flatMap(([name, failure]) =>
  someTimes([1, 2]).map((times) => ({ name, times, failure })),
);

/** Returns the keys of the submissions that a majority of the servers has stored. */
const storedKeys = async (keys: string[]) => {
  const found = collectionOf(world.services.db, submissionResource).find(
    { org: world.services.org._id, key: { $in: keys } },
    { readConcern: { level: 'majority' } },
  );
  return new Set((await found.toArray()).map(({ key }) => key));
};

test.each(insertCases)(
  'an insert of submissions, $name, $times times: a post answers 202 only when it is stored',
  async (each) => {
    const member = await world.addMember();
    const post = (n: number) => ({
      type: 'Accrual',
      memberID: member._id,
      value: 1,
      externalTxnId: `${each.name} ${each.times} ${n}`,
    });
    await set.fail({ failCommands: ['insert'], ...each.failure }, each.times);
    const client = world.server.as('client');
    const one = await client.post('/activity?async=true', post(0));
    const bulk = await client.post('/activities/bulk?async=true', [post(1), post(2), post(3)]);
    await set.heal();

    for (const { status, headers, body } of [one, bulk]) {
      expect([202, 503]).toContain(status);
      if (status === 503) {
        expect(body.code).toBe(1310);
        expect(headers.get('retry-after')).toBe('1');
      }
    }
    if (each.times === 20) expect([one.status, bulk.status]).toEqual([503, 503]);
    const promised = [...(one.status === 202 ? [0] : []), ...(bulk.status === 202 ? [1, 2, 3] : [])];
    const stored = await storedKeys([0, 1, 2, 3].map((n) => post(n).externalTxnId));
    for (const n of promised) expect(stored).toContain(post(n).externalTxnId);
    // The same activities are sent again; each is stored only once.
    const again = await client.post('/activities/bulk?async=true', [0, 1, 2, 3].map(post));
    expect(again.status).toBe(202);
    expect(again.body.map(({ status }: { status: string }) => status)).toEqual(Array(4).fill('Queued'));
    expect((await storedKeys([0, 1, 2, 3].map((n) => post(n).externalTxnId))).size).toBe(4);
  },
);

test('new submissions beside one with a known key are stored unless their write is in doubt', async () => {
  const member = await world.addMember();
  const post = (key: string) => ({ type: 'Accrual', memberID: member._id, value: 1, externalTxnId: key });
  const client = world.server.as('client');
  const first = await client.post('/activities/bulk?async=true', [post('known')]);
  const second = await client.post('/activities/bulk?async=true', [post('known'), post('new')]);
  expect(second.status).toBe(202);
  expect(second.body[0].submission).toBe(first.body[0].submission);
  await set.fail({ failCommands: ['insert'], ...writeConcernError(64) }, 1);
  const doubtful = await client.post('/activities/bulk?async=true', [post('known'), post('newer')]);
  await set.heal();
  expect(doubtful.status).toBe(503);
});

/**
 * Prepares an async post with this key. `accept` sends it once, `twice` sends it two times and returns both statuses.
 */
async function acceptTwice(key: string) {
  const post = { type: 'Accrual', memberID: (await world.addMember())._id, value: 1, externalTxnId: key };
  const accept = async () => (await world.server.as('client').post('/activity?async=true', post)).status;
  return { accept, twice: async () => [await accept(), await accept()] };
}

test('secondaries locked: what was answered is applied once, what was not at most once; a repetition of a key is accepted only when the first is held by a majority', async () => {
  const member = await world.addMember();
  const repeated = await acceptTwice('not yet by a majority');
  const client = world.server.as('client');
  const values = Array.from({ length: 12 }, (_unused, n) => n + 1);
  const secondaries = await set.secondaries();
  for (const node of secondaries) await node.command({ fsync: 1, lock: true });
  const takenMs = stopwatch();
  const accepted = repeated.twice();
  const answers = await Promise.all(
    values.map((value) => client.post('/activity', { type: 'Accrual', memberID: member._id, value })),
  );
  const seconds = takenMs() / 1000;
  const acceptedStatuses = await accepted;
  for (const node of secondaries) await node.command({ fsyncUnlock: 1 });
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  expect(seconds).toBeLessThan(6);
  expect(acceptedStatuses).toEqual([503, 503]);
  expect(await repeated.accept()).toBe(202);
  const again = await client.post('/activity', { type: 'Accrual', memberID: member._id, value: 1000 });
  expect(again.status).toBe(200);
  const { applied, balance } = await outcomeOf(member, values);
  expect(Math.max(...applied)).toBeLessThanOrEqual(1);
  expect(balance).toBe(1000 + sum(values.map((value, n) => value * (applied[n] ?? 0))));
});

test('the ledgers agree after all of these tests', async () => {
  expect((await reconcile(world.services, {})).mismatches).toBe(0);
});

test.each(someCommitCases)(
  'assigning ids to events, $name, $times times: no id is assigned twice or left out',
  async ({ times, failure }) => {
    const member = await world.addMember();
    await world.server.as('client').post('/activity', { type: 'Accrual', memberID: member._id, value: 1 });
    await set.fail({ failCommands: ['commitTransaction'], ...failure }, times);
    const number = () => numberEvents(world.services, world.services.clock.now()).catch(() => 0);
    await Promise.all([number(), number()]);
    await set.heal();
    const events = await (await followEvents(world, 'start')).more();
    expect(events.map(({ id }) => Number(id))).toEqual(events.map((_event, index) => index + 1));
  },
);

test('the events agree with each history and every purse after all failures', async () => {
  expect(await toldFaults(world, await (await followEvents(world, 'start')).more())).toEqual([]);
});
