import { ObjectId } from 'bson';
import type { Member } from '#records/members/member';
import { earnRule, openWorld, redeemRule, type World } from '../support/world';
import { type ActivityApi, activityApi } from './activityApi';

const rejectRule = {
  key: 'no-returns',
  name: 'No returns of what is locked',
  status: 'active',
  activityTypes: ['Cancellation'],
  conditions: { all: [{ fact: 'activity', path: '$.ext.locked', operator: 'equal', value: true }] },
  actions: [{ type: 'reject', message: 'It is locked' }],
};

let world: World;
let acting: ActivityApi;
let member: Member;

beforeAll(async () => {
  world = await openWorld({ rules: [earnRule, redeemRule, rejectRule] });
  acting = activityApi(world);
});

beforeEach(async () => {
  member = await world.addMember();
});

afterAll(() => world.close());

const get = (path: string) => world.server.as('client').get(path);
const status = async (key: string) => (await get(`/activity/status/${encodeURIComponent(key)}`)).body;
const bulk = (body: unknown, query = '?async=true') => world.server.as('client').post(`/activities/bulk${query}`, body);

test('an accepted activity answers 202 with its key and where to follow it, up to Processed', async () => {
  const key = 'till 4/receipt 17?';
  const body = { type: 'Accrual', memberID: member._id, value: 5, externalTxnId: key };
  const accepted = await acting.post(body, '?async=true');
  expect(accepted.status).toBe(202);
  expect(accepted.body).toEqual({
    externalTxnId: key,
    status: 'Queued',
    submission: expect.stringMatching(/^[0-9a-f]{24}$/),
  });
  expect(accepted.headers.get('location')).toBe(`/api/v1/activity/status/${encodeURIComponent(key)}`);
  const location = accepted.headers.get('location') ?? '';
  const queued = await world.server.as('client').send('GET', location);
  expect([queued.status, queued.body]).toEqual([200, { externalTxnId: key, status: 'Queued' }]);
  expect(await acting.balance(member._id)).toBe(0);
  await acting.drain();
  const done = await status(key);
  expect(done).toMatchObject({ externalTxnId: key, status: 'Processed', result: { errors: [] } });
  expect(done.result.data).toEqual({ activityId: done.activityId, status: 'Processed' });
  expect(await acting.history(done.activityId)).toMatchObject({ externalTxnId: key, value: 5 });
  expect(await acting.balance(member._id)).toBe(5);
  await acting.cancel(done.activityId);
  expect((await status(key)).status).toBe('Cancelled');
});

test('the service makes a key when none is sent, and the history is found by it', async () => {
  const { body } = await acting.post({ type: 'Accrual', loyaltyID: member.loyaltyID, value: 5 }, '?async=true');
  await acting.drain();
  const found = await get(`/activityhistories?externalTxnId=${body.externalTxnId}`);
  expect(found.body).toEqual([expect.objectContaining({ memberID: member._id.toHexString(), value: 5 })]);
});

test('an unknown key answers 404', async () => {
  const { status: code, body } = await get('/activity/status/nothing');
  expect([code, body.code]).toEqual([404, 1500]);
});

test('an activity that ends in Error says so at its status', async () => {
  const { body } = await acting.post({ type: 'Redemption', memberID: member._id, value: 5 }, '?async=true');
  await acting.drain();
  expect(await status(body.externalTxnId)).toMatchObject({
    status: 'Error',
    result: { errors: [{ code: 2100, status: 422 }], data: { status: 'Error' } },
  });
});

test('an activity with a fault of its own is refused at once and not accepted', async () => {
  const before = await acting.dump();
  const { status: code } = await acting.post({ type: 'Accrual', memberID: member._id, value: -1 }, '?async=true');
  expect(code).toBe(422);
  expect(await acting.dump()).toEqual(before);
});

test('an unknown record is refused at once, alone and in bulk, and an unknown member during processing', async () => {
  const nobody = '0123456789abcdef01234567';
  const fields = { type: 'Accrual', memberID: member._id, value: 5 };
  const unknown = { ...fields, locationId: nobody, program: nobody, originalMemberID: nobody };
  const expected = ['locationId', 'program', 'originalMemberID'].map((path) => ({ path, kind: 'reference' }));
  const refused = await acting.post(unknown, '?async=true');
  expect(refused).toMatchObject({ status: 422, body: { errors: expected } });
  const { body } = await bulk([fields, unknown, { ...fields, memberID: nobody }]);
  expect(body).toMatchObject([{ status: 'Queued' }, { index: 1, error: { errors: expected } }, { status: 'Queued' }]);
  await acting.drain();
  expect((await status(body[2].externalTxnId)).result.errors).toMatchObject([{ code: 1500 }]);
});

test('submissions of one member are processed in the order of acceptance, whichever of its ids they name', async () => {
  const named = [{ memberID: member._id }, { loyaltyID: member.loyaltyID }];
  const keys: string[] = [];
  for (let n = 0; n < 20; n += 1) {
    const type = n % 2 === 0 ? 'Accrual' : 'Redemption';
    const { body } = await acting.post({ type, value: n % 2 === 0 ? n + 1 : n, ...named[n % 2] }, '?async=true');
    keys.push(body.externalTxnId);
  }
  await acting.drain();
  // Each redemption burns exactly the points of the accrual before it, so in another order one would be refused.
  for (const key of keys) expect((await status(key)).status).toBe('Processed');
  const { body } = await get(`/activityhistories?memberID=${member._id}&sort=_id`);
  expect(body).toHaveLength(20);
  expect(await acting.balance(member._id)).toBe(0);
});

test('an activity and the cancel of an earlier one keep their order', async () => {
  const earlier = await acting.processed('Accrual', member._id, { value: 10 });
  const redeem = await acting.post({ type: 'Redemption', loyaltyID: member.loyaltyID, value: 10 }, '?async=true');
  const cancel = await acting.cancel(earlier, { externalTxnId: `cancel-${earlier}` }, '?async=true');
  const late = await acting.post({ type: 'Redemption', memberID: member._id, value: 1 }, '?async=true');
  expect(cancel.status).toBe(202);
  await acting.drain();
  expect((await status(redeem.body.externalTxnId)).status).toBe('Processed');
  expect((await status(cancel.body.externalTxnId)).status).toBe('Processed');
  expect((await status(late.body.externalTxnId)).result.errors).toEqual([expect.objectContaining({ code: 2100 })]);
  expect(await acting.purse(member._id)).toMatchObject({ balance: -10, debt: 10 });
});

test.each([
  ['cancelled already', {}, 2300],
  ['rejected by a rule', { ext: { locked: true } }, 2400],
])('a cancel that is refused because it is %s ends in Error with its errors', async (name, body, code) => {
  const id = await acting.processed('Accrual', member._id, { value: 10 });
  if (code === 2300) await acting.cancel(id);
  const key = `refused ${name}`;
  const accepted = await acting.cancel(id, { ...body, externalTxnId: key }, '?async=true');
  expect(accepted.status).toBe(202);
  await acting.drain();
  expect(await status(key)).toEqual({
    externalTxnId: key,
    status: 'Error',
    result: {
      log: [],
      errors: [expect.objectContaining({ code, status: 422 })],
      data: { activityId: null, status: 'Error' },
    },
  });
  const replayed = await acting.cancel(id, { ...body, externalTxnId: key });
  expect(replayed.body.result.errors).toEqual([expect.objectContaining({ code })]);
});

test('a cancel of an unknown activity or of too much ends in Error', async () => {
  const unknown = await acting.cancel(new ObjectId().toHexString(), {}, '?async=true');
  const id = await acting.processed('Accrual', member._id, { value: 10 });
  const tooMuch = await acting.cancel(id, { value: 11 }, '?async=true');
  await acting.drain();
  expect((await status(unknown.body.externalTxnId)).result.errors).toEqual([expect.objectContaining({ code: 1500 })]);
  expect((await status(tooMuch.body.externalTxnId)).result.errors).toEqual([
    expect.objectContaining({ code: 1200, errors: [expect.objectContaining({ path: 'value', kind: 'maximum' })] }),
  ]);
});

test('an activity that a fault of the service stops is tried a few times, then ends in Error', async () => {
  const { body } = await acting.post({ type: 'Accrual', memberID: member._id, value: 5 }, '?async=true');
  const orgs = world.services.db.collection('orgs');
  const org = await orgs.findOneAndDelete({ _id: world.author.org });
  for (let attempt = 0; attempt < 5; attempt += 1) await acting.drain();
  if (org) await orgs.insertOne(org);
  expect(await status(body.externalTxnId)).toMatchObject({ status: 'Error', result: { errors: [{ code: 1300 }] } });
  expect(await acting.balance(member._id)).toBe(0);
});

test('a bulk post accepts the valid activities and names the others by their positions', async () => {
  const target = await acting.processed('Accrual', member._id, { value: 10 });
  const good = { type: 'Accrual', memberID: member._id, value: 5 };
  const sent = [
    { ...good, externalTxnId: 'bulk-1' },
    { ...good, value: -1 },
    null,
    { ...good, externalTxnId: 'bulk-1' },
    { ...good, externalTxnId: 'bulk-1', value: 6 },
    { type: 'Cancellation', originalTxnId: target, value: 4 },
    { ...good, type: 'Nothing' },
    good,
  ];
  const { status: code, body } = await bulk(sent);
  expect(code).toBe(202);
  const short = body.map(
    ({ error, status: state }: { error?: { code: number }; status?: string }) => error?.code ?? state,
  );
  expect(short).toEqual(['Queued', 1200, 1200, 'Queued', 1200, 'Queued', 1200, 'Queued']);
  expect(body.map(({ index }: { index: number }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(body[3].submission).toBe(body[0].submission);
  expect(body[4].error.errors).toEqual([expect.objectContaining({ path: 'externalTxnId', kind: 'unique' })]);
  await acting.drain();
  expect(await acting.balance(member._id)).toBe(10 + 5 - 4 + 5);
});

describe('a bulk post answers 400 and accepts nothing', () => {
  const good = { type: 'Accrual', loyaltyID: 'x' };
  test.each([
    ['without async=true', [good], ''],
    ['with async=false', [good], '?async=false'],
    ['of nothing', [], '?async=true'],
    ['of no array', good, '?async=true'],
    ['of 1,001', Array.from({ length: 1001 }, () => good), '?async=true'],
    ['with an argument of single posts', [good], '?async=true&persist=false'],
  ])('%s', async (_name, body, query) => {
    const before = await acting.dump();
    expect(await bulk(body, query)).toBeRefused(400, 1210);
    expect(await acting.dump()).toEqual(before);
  });
});

test('a bulk post of 1,000 is accepted and processed', async () => {
  const { status: code, body } = await bulk(
    Array.from({ length: 1000 }, () => ({ type: 'Accrual', memberID: member._id, value: 1 })),
  );
  expect([code, body.length]).toEqual([202, 1000]);
  await acting.drain();
  expect(await acting.balance(member._id)).toBe(1000);
});

test('none of these tests leaves a mismatch in the ledgers', async () => {
  expect(await acting.mismatches()).toEqual([]);
});
