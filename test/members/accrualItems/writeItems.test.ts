import { ObjectId } from 'bson';
import type { Member } from '#records/members/member';
import { type ActivityApi, activityApi } from '../../activities/activityApi';
import { earnRule, openWorld, redeemRule, type World } from '../../support/world';

let world: World;
let acting: ActivityApi;
let member: Member;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule, redeemRule], policies: [{ overdraftLimit: 100 }] });
  acting = activityApi(world);
});
beforeEach(async () => {
  member = await world.addMember();
});
afterAll(() => world.close());

const keeper = () => world.server.as('ledger-admin');
const purse = () => world.policies[0]?._id;
const add = (fields = {}) =>
  keeper().post('/accrualitems', { member: member._id, purse: purse(), accruedPoints: 50, ...fields });
const kinds = async () =>
  (await keeper().get(`/members/${member._id}/statement`)).body.map(({ kind, points }: Record<string, unknown>) => [
    kind,
    points,
  ]);
const far = '2090-01-01T00:00:00.000Z';

test('an item added by hand is a lot like any other, journalled as adjust', async () => {
  const { status, body, headers } = await add({ dtExpiresOn: far, ext: { why: 'goodwill' } });
  expect([status, headers.get('location')]).toEqual([201, `/api/v1/accrualitems/${body._id}`]);
  expect(body).toMatchObject({ accruedPoints: 50, availablePoints: 50, dtExpiresOn: far, ext: { why: 'goodwill' } });
  expect(await acting.purse(member._id)).toMatchObject({ balance: 50, nextExpiry: { date: far, points: 50 } });
  expect(await kinds()).toEqual([['adjust', 50]]);
  await acting.processed('Redemption', member._id, { value: 20 });
  expect(await acting.balance(member._id)).toBe(30);
});

test('an item added by hand repays debt', async () => {
  await acting.processed('Redemption', member._id, { value: 30 });
  await add();
  expect(await acting.purse(member._id)).toMatchObject({ availBalance: 20, debt: 0 });
});

test('an item may be added in escrow, and released by its date', async () => {
  const { body } = await add({ dtEscrowsOn: far });
  expect(await acting.purse(member._id)).toMatchObject({ availBalance: 0, escrowsIn: 50 });
  const early = await keeper().put(`/accrualitems/${body._id}`, { availablePoints: 1 });
  expect([early.status, early.body.errors[0].path]).toEqual([422, 'availablePoints']);
  const { status } = await keeper().patch(`/accrualitems/${body._id}`, { dtEscrowsOn: body.dtEarned });
  expect([status, await acting.purse(member._id)]).toMatchObject([200, { availBalance: 50, escrowsIn: 0 }]);
});

test('a change sets what an item holds: more counts as accrued, less as reversed', async () => {
  await acting.processed('Accrual', member._id, { value: 40 });
  const [lot] = await acting.lots(member._id);
  const more = await keeper().put(`/accrualitems/${lot._id}`, { availablePoints: 60 });
  expect(more.body).toMatchObject({ availablePoints: 60, accruedPoints: 60 });
  const less = await keeper().put(`/accrualitems/${lot._id}`, { availablePoints: 5, dtExpiresOn: far });
  expect(less.body).toMatchObject({ availablePoints: 5, accruedPoints: 60, reversedPoints: 55, dtExpiresOn: far });
  expect(await acting.purse(member._id)).toMatchObject({ balance: 5, nextExpiry: { date: far, points: 5 } });
  expect(await kinds()).toEqual([
    ['accrue', 40],
    ['adjust', 20],
    ['adjust', -55],
    ['adjust', 0],
  ]);
});

test('an expiry in the past expires what is left at once', async () => {
  const { body } = await add({ dtEarned: '2020-01-01T00:00:00.000Z' });
  await keeper().put(`/accrualitems/${body._id}`, { dtExpiresOn: '2021-01-01T00:00:00.000Z' });
  expect(await acting.purse(member._id)).toMatchObject({ balance: 0, expiredPoints: 50 });
});

test('an expiry that is cleared never comes, in the item and in the purse', async () => {
  const { body } = await add({ dtExpiresOn: far });
  const never = await keeper().patch(`/accrualitems/${body._id}`, { dtExpiresOn: null });
  expect(never.body).not.toHaveProperty('dtExpiresOn');
  expect(await acting.purse(member._id)).toMatchObject({ balance: 50, nextExpiry: null });
  expect((await keeper().get(`/accrualitems/${body._id}`)).body).toEqual(never.body);
  await acting.processed('Redemption', member._id, { value: 50 });
  const spent = (await keeper().get(`/accrualitems/${body._id}`)).body;
  expect((await keeper().put(`/accrualitems/${body._id}`, spent)).body).toEqual(spent);
  for (const dtExpiresOn of [far, null]) {
    const late = await keeper().put(`/accrualitems/${body._id}`, { ...spent, dtExpiresOn });
    expect([dtExpiresOn, late.status]).toEqual([dtExpiresOn, dtExpiresOn === null ? 200 : 422]);
  }
});

test('an item that is sent back stays as it is, and changes with other dates and points', async () => {
  const { body } = await add();
  const place = `/accrualitems/${body._id}`;
  const noted = await keeper().put(place, { ...body, ext: { why: 'goodwill' } });
  expect(noted.body).toMatchObject({ availablePoints: 50, ext: { why: 'goodwill' } });
  expect(await kinds()).toEqual([['adjust', 50]]);
  const escrow = await keeper().put(place, { ...noted.body, dtEscrowsOn: far });
  expect([escrow.status, escrow.body.errors]).toMatchObject([422, [{ kind: 'readOnly', path: 'dtEscrowsOn' }]]);
  for (const name of ['availablePoints', 'escrowedPoints', 'dtEscrowsOn']) {
    const { body: refused } = await keeper().put(place, { ...noted.body, [name]: null });
    expect(refused.errors).toMatchObject([{ kind: 'required', path: name }]);
  }
});

test('a change of an item that was read before a redemption is refused, so no points come back', async () => {
  for (let round = 0; round < 5; round += 1) {
    member = await world.addMember();
    const made = await add();
    const headers = { 'if-match': made.headers.get('etag') ?? '' };
    const [changed] = await Promise.all([
      keeper().put(`/accrualitems/${made.body._id}`, { availablePoints: 40 }, { headers }),
      acting.processed('Redemption', member._id, { value: 20 }),
    ]);
    expect([200, 412]).toContain(changed.status);
    expect(await acting.balance(member._id)).toBe(changed.status === 200 ? 20 : 30);
  }
});

test('an item that has expired cannot be raised again', async () => {
  const { body } = await add({ dtEarned: '2020-01-01T00:00:00.000Z', dtExpiresOn: '2021-01-01T00:00:00.000Z' });
  const before = await acting.purse(member._id);
  for (const dates of [{}, { dtExpiresOn: far }]) {
    const raised = await keeper().patch(`/accrualitems/${body._id}`, { availablePoints: 10, ...dates });
    expect([raised.status, raised.body.errors[0].path]).toEqual([422, 'availablePoints']);
  }
  expect(await acting.purse(member._id)).toEqual(before);
});

test('a deleted item loses its remaining points and can still be read', async () => {
  const { body } = await add();
  await acting.processed('Redemption', member._id, { value: 20 });
  expect((await keeper().delete(`/accrualitems/${body._id}`)).status).toBe(204);
  expect((await keeper().get(`/accrualitems/${body._id}`)).body).toMatchObject({
    accruedPoints: 50,
    availablePoints: 0,
    burnedPoints: 20,
    reversedPoints: 30,
  });
  expect(await acting.balance(member._id)).toBe(0);
  expect((await keeper().delete(`/accrualitems/${body._id}`)).status).toBe(204);
  expect(await kinds()).toEqual([
    ['adjust', 50],
    ['burn', -20],
    ['adjust', -30],
  ]);
});

test('changes by hand during posts lose nothing', async () => {
  const { body } = await add();
  const posts = Array.from({ length: 10 }, () => acting.processed('Accrual', member._id, { value: 1 }));
  const added = Array.from({ length: 5 }, () => add({ accruedPoints: 2 }));
  const changes = [keeper().delete(`/accrualitems/${body._id}`), ...added];
  await Promise.all(posts);
  const statuses = (await Promise.all(changes)).map(({ status }) => status);
  const done = statuses.slice(1).filter((status) => status === 201).length;
  expect(statuses.every((status) => [201, 204, 503].includes(status))).toBe(true);
  expect(await acting.balance(member._id)).toBe(10 + 2 * done + (statuses[0] === 204 ? 0 : 50));
});

test("a spent item of a merged member is changed in the survivor's ledger", async () => {
  const survivor = await world.addMember();
  const { body } = await add();
  await acting.processed('Redemption', member._id, { value: 50 });
  await world.server.as('admin').post(`/members/${survivor._id}/merge`, { memberIds: [member._id] });
  const { status } = await keeper().put(`/accrualitems/${body._id}`, { availablePoints: 7 });
  expect([status, await acting.balance(survivor._id)]).toEqual([200, 7]);
  expect((await add()).status).toBe(410);
});

test.each([
  ['an unknown member', () => ({ member: new ObjectId() }), 'reference', 'member'],
  ['an unknown purse', () => ({ purse: new ObjectId() }), 'reference', 'purse'],
  ['no member', () => ({ member: undefined }), 'required', 'member'],
  ['no points', () => ({ accruedPoints: 0 }), 'minimum', 'accruedPoints'],
  ['points beyond 2^53', () => ({ accruedPoints: 2 ** 53 }), 'maximum', 'accruedPoints'],
  ['an escrow before it was earned', () => ({ dtEscrowsOn: '2020-01-01T00:00:00.000Z' }), 'date', 'dtEscrowsOn'],
  ['an expiry before it was earned', () => ({ dtExpiresOn: '2020-01-01T00:00:00.000Z' }), 'date', 'dtExpiresOn'],
  ['what the service computes', () => ({ burnedPoints: 1 }), 'readOnly', 'burnedPoints'],
])('an item with %s is refused', async (_name, fields, kind, path) => {
  const { status, body } = await add(fields());
  expect([status, body.errors?.map((fault: Record<string, string>) => [fault.kind, fault.path])]).toEqual([
    422,
    [[kind, path]],
  ]);
});

test('an item whose escrow has ended takes no other escrow', async () => {
  const { body } = await add();
  const answer = await keeper().put(`/accrualitems/${body._id}`, { escrowedPoints: 3, dtEscrowsOn: far });
  expect([answer.status, answer.body.errors.map(({ path }: { path: string }) => path)]).toEqual([
    422,
    ['escrowedPoints', 'dtEscrowsOn'],
  ]);
});

test.each(['admin', 'program-manager', 'client', 'reader'] as const)('a %s may only read items', async (role) => {
  const { body } = await add();
  const who = world.server.as(role);
  const answers = [
    await who.post('/accrualitems', { member: member._id, purse: purse(), accruedPoints: 1 }),
    await who.put(`/accrualitems/${body._id}`, { availablePoints: 1 }),
    await who.patch(`/accrualitems/${body._id}`, { availablePoints: 1 }),
    await who.delete(`/accrualitems/${body._id}`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  expect((await who.get(`/accrualitems/${body._id}`)).body.availablePoints).toBe(50);
});

test('the ledgers agree after all of these tests', async () => {
  expect(await acting.mismatches()).toEqual([]);
});
