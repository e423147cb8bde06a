import { EJSON } from 'bson';
import { runJob } from '#operations/jobs/runJob';
import { type ActivityApi, activityApi } from '../../activities/activityApi';
import { contentHashes, databaseOf } from '../../support/stores';
import { earnRule, openWorld, redeemRule, type World } from '../../support/world';

let world: World;
let acting: ActivityApi;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule, redeemRule] });
  acting = activityApi(world);
});
afterAll(() => world.close());

const admin = () => world.server.as('admin');
const person = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '+41 1',
  birthDate: '1990-12-10',
  address: { street: 'Gasse 1' },
  locale: 'de-CH',
  ext: { nickname: 'Countess' },
};

/** The text of every document of every collection. */
async function everyDocument(): Promise<string> {
  const db = databaseOf(world.services.db);
  const names = Object.keys(await contentHashes(db));
  const contents = await Promise.all(names.map((name) => db.collection(name).find().toArray()));
  return EJSON.stringify(contents);
}

test('an erasure leaves no personal data anywhere, and the ledger stays', async () => {
  const member = await world.addMember({ ...person, loyaltyID: 'ADA-1' });
  const merged = await world.addMember({ ...person, loyaltyID: 'ADA-2' });
  await admin().post(`/members/${member._id}/merge`, { memberIds: [merged._id] });
  const tenderItems = [{ type: 'card', itemNo: 'card-of-Lovelace' }];
  const lineItems = [{ itemSKU: 'A', itemPrice: 5, quantity: 1, ext: { engraving: 'Ada' } }];
  const { body } = await acting.post({
    type: 'Accrual',
    loyaltyID: 'ADA-1',
    tenderItems,
    lineItems,
    ext: { by: 'Ada' },
  });
  expect((await admin().delete(`/members/${member._id}`)).status).toBe(204);
  const { error } = await runJob(world.services, 'members', world.services.org._id);
  expect(error).toBeNull();
  const history = await acting.history(body.result.data.activityId);
  expect(history).toMatchObject({ value: 5, lineItems: [{ itemSKU: 'A' }], tenderItems: [{ type: 'card' }] });
  expect(await everyDocument()).not.toMatch(/Ada|ADA|Lovelace|ada@|Gasse|Countess|1990-12-10/);
  const [listed] = (await admin().get(`/members?_id=${member._id}`)).body;
  expect(listed).toMatchObject({ status: 'Erased', purses: [{ balance: 5 }] });
});

test('an erased member answers 410 to everything, and its loyalty id leads nowhere', async () => {
  const member = await world.addMember({ loyaltyID: 'GONE' });
  await admin().delete(`/members/${member._id}`);
  const path = `/members/${member._id}`;
  const answers = [
    await admin().get(path),
    await admin().get(`${path}/purses`),
    await admin().get(`${path}/statement`),
    await admin().put(path, { firstName: 'A' }),
    await admin().delete(path),
    await acting.post({ type: 'Accrual', memberID: member._id, value: 1 }),
  ];
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [410, 1510]));
  expect((await acting.post({ type: 'Accrual', loyaltyID: 'GONE', value: 1 })).status).toBe(404);
  expect((await admin().post('/members', { program: world.program._id, loyaltyID: 'GONE' })).status).toBe(201);
});

test('an erased member leaves its account by the rules of unlink', async () => {
  const members = [await world.addMember(), await world.addMember(), await world.addMember()];
  const entries = members.map(({ _id, program }) => ({ member: _id, program }));
  const { body } = await admin().post('/accounts', { members: entries });
  await admin().delete(`/members/${members[0]?._id}`);
  const left = await admin().get(`/accounts/${body._id}`);
  expect([left.body.members.length, left.body.activeMember]).toEqual([2, members[1]?._id.toHexString()]);
  await admin().delete(`/members/${members[1]?._id}`);
  expect((await admin().get(`/accounts/${body._id}`)).status).toBe(404);
});

test('a birth date in the future is refused, at creation and later', async () => {
  const member = await world.addMember({ birthDate: '1990-02-28' });
  const birthDate = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  const answers = [
    await admin().post('/members', { program: world.program._id, birthDate }),
    await admin().put(`/members/${member._id}`, { birthDate }),
  ];
  expect(answers.map(({ status, body }) => [status, body.errors[0].path, body.errors[0].kind])).toEqual([
    [422, 'birthDate', 'date'],
    [422, 'birthDate', 'date'],
  ]);
});

test('activities of an erased member can still be cancelled', async () => {
  const member = await world.addMember();
  const id = await acting.processed('Accrual', member._id, { value: 9 });
  await admin().delete(`/members/${member._id}`);
  expect((await acting.cancel(id)).body.result.data.status).toBe('Processed');
});

test('one of several erasures at once takes effect, and none with an outdated version', async () => {
  const member = await world.addMember();
  const stale = await admin().send('DELETE', `/api/v1/members/${member._id}`, { headers: { 'if-match': '"v9"' } });
  const answers = await Promise.all([1, 2, 3].map(() => admin().delete(`/members/${member._id}`)));
  expect([stale.status, ...answers.map(({ status }) => status).sort()]).toEqual([412, 204, 410, 410]);
});

test.each(['client', 'reader', 'program-manager'] as const)('a %s may not erase', async (role) => {
  const member = await world.addMember();
  expect((await world.server.as(role).delete(`/members/${member._id}`)).status).toBe(403);
});

test('loyalty ids that stand for merged and erased members cannot be taken', async () => {
  const member = await world.addMember();
  for (const since of ['erased', 'merged']) {
    const body = { program: world.program._id, loyaltyID: `${since}-${member._id}` };
    const { status, body: refusal } = await world.server.as('client').post('/members', body);
    expect([status, refusal.errors]).toMatchObject([422, [{ path: 'loyaltyID', kind: 'pattern' }]]);
  }
  expect((await admin().delete(`/members/${member._id}`)).status).toBe(204);
});

test('the ledgers agree after all of these tests', async () => {
  expect(await acting.mismatches()).toEqual([]);
});
