import { collectionOf } from '../../src/db/collections';
import { submissionResource } from '../../src/records/activities/submission';
import { type Failure, startReplicaSet, type TestReplicaSet } from '../support/replicaSet';
import { earnRule, openWorld, type World } from '../support/world';

let set: TestReplicaSet;
let world: World;

beforeAll(async () => {
  set = await startReplicaSet();
  world = await openWorld({ rules: [earnRule], config: { MONGODB_URI: set.uri('accepted') } });
}, 240_000);

afterAll(async () => {
  await set?.heal();
  await world?.close();
  await set?.close();
});

const writeConcernError = (code: number) => ({ writeConcernError: { code, errmsg: 'made to fail' } });

/** What may become of the insert of submissions; in half of them the server has stored the row. */
const failures: Record<string, Omit<Failure, 'failCommands'>> = {
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

const cases = Object.entries(failures).flatMap(([name, failure]) =>
  [1, 2, 20].map((times) => ({ name, times, failure })),
);

/** As a majority of the servers has it. */
const storedKeys = async (keys: string[]) => {
  const found = collectionOf(world.services.db, submissionResource).find(
    { org: world.services.org._id, key: { $in: keys } },
    { readConcern: { level: 'majority' } },
  );
  return new Set((await found.toArray()).map(({ key }) => key));
};

test.each(cases)('an insert of submissions, $name, $times times: 202 only when it is stored', async (each) => {
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
  // Sent again, each is accepted once.
  const again = await client.post('/activities/bulk?async=true', [0, 1, 2, 3].map(post));
  expect(again.status).toBe(202);
  expect(again.body.map(({ status }: { status: string }) => status)).toEqual(Array(4).fill('Queued'));
  expect((await storedKeys([0, 1, 2, 3].map((n) => post(n).externalTxnId))).size).toBe(4);
});

test('a key that exists among new ones: the new ones are stored, unless their write is in doubt', async () => {
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

test('a repetition of a key is accepted only when the first is held by a majority', async () => {
  const member = await world.addMember();
  const post = { type: 'Accrual', memberID: member._id, value: 1, externalTxnId: 'not yet by a majority' };
  const client = world.server.as('client');
  const secondaries = await set.secondaries();
  for (const node of secondaries) await node.command({ fsync: 1, lock: true });
  const [first, second] = [
    await client.post('/activity?async=true', post),
    await client.post('/activity?async=true', post),
  ];
  for (const node of secondaries) await node.command({ fsyncUnlock: 1 });
  expect([first.status, second.status]).toEqual([503, 503]);
  expect((await client.post('/activity?async=true', post)).status).toBe(202);
}, 60_000);
