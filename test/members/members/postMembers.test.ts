import { collectionOf } from '#base/db/collections';
import { reconcile } from '#members/reconcile/reconcile';
import { memberResource } from '#records/members/member';
import { openWorld, type World } from '../../support/world';

let world: World;
beforeAll(async () => {
  world = await openWorld({ rules: [] });
});
afterAll(() => world.close());

const post = (rows: unknown, key?: string) =>
  world.server
    .as('client')
    .post('/members/bulk', rows, key === undefined ? {} : { headers: { 'Idempotency-Key': key } });
const countOf = (filter: object) => collectionOf(world.services.db, memberResource).countDocuments(filter);
const row = (fields: object = {}) => ({ program: world.program._id.toHexString(), ...fields });

test('a bulk post creates a member for each row like single posts', async () => {
  const { status, body } = await post([row({ loyaltyID: 'B-1', firstName: 'Mei' }), row()]);
  expect(status).toBe(200);
  expect(body).toEqual([
    { index: 0, _id: expect.any(String), loyaltyID: 'B-1' },
    { index: 1, _id: expect.any(String), loyaltyID: expect.any(String) },
  ]);
  const single = (await world.server.as('client').post('/members', row({ loyaltyID: 'B-2', firstName: 'Mei' }))).body;
  const bulk = (await world.server.as('client').get(`/members/${body[0]._id}`)).body;
  expect(Object.keys(bulk).sort()).toEqual(Object.keys(single).sort());
  expect(bulk).toMatchObject({ firstName: 'Mei', status: 'Active', version: 1, purses: [{ balance: 0 }] });
});

test('a bulk post refuses faulty rows with the faults of single posts, and creates the others', async () => {
  const bad = [
    row({ loyaltyID: 'C-1', email: 'no address' }),
    row({ loyaltyID: 'C-2', birthDate: '2999-01-01' }),
    row({ loyaltyID: 'C-3', segments: [world.program._id.toHexString()] }),
    row({ loyaltyID: 'C-4', version: 7 }),
    row({ loyaltyID: 'C-5', firstName: 'a\u0000b' }),
    row({ loyaltyID: 'B-1' }),
    { loyaltyID: 'C-6' },
    'no object',
    null,
  ];
  const good = row({ loyaltyID: 'C-7' });
  const { status, body } = await post([...bad, good, good]);
  expect(status).toBe(200);
  const singles = [];
  for (const each of bad) singles.push((await world.server.as('client').post('/members', each)).body);
  expect(body.slice(0, 7).map(({ error }: { error: object }) => error)).toMatchObject(
    singles.slice(0, 7).map(({ code, message, status: own, errors }) => ({ code, message, status: own, errors })),
  );
  expect(body.slice(7, 9).map(({ error }: { error: { code: number } }) => error.code)).toEqual([1200, 1200]);
  expect(body[9]).toEqual({ index: 9, _id: expect.any(String), loyaltyID: 'C-7' });
  expect(body[10].error.errors).toEqual([expect.objectContaining({ path: 'loyaltyID', kind: 'unique' })]);
  expect(await countOf({ loyaltyID: /^C-/ })).toBe(1);
});

test('rows that race for one loyalty id give one member', async () => {
  const rows = Array.from({ length: 20 }, (_unused, n) => row({ loyaltyID: `R-${n % 10}` }));
  const answers = await Promise.all(Array.from({ length: 4 }, () => post(rows)));
  const outcomes = answers.flatMap(({ body }) => body);
  expect(outcomes.filter(({ _id }: { _id?: string }) => _id)).toHaveLength(10);
  expect(await countOf({ loyaltyID: /^R-/ })).toBe(10);
});

test('all rows with one referrer become referrals', async () => {
  const referrer = await world.addMember({ loyaltyID: 'REF' });
  const rows = Array.from({ length: 30 }, () => row({ referredBy: referrer._id.toHexString() }));
  const { body } = await post(rows);
  expect(body.every(({ _id }: { _id?: string }) => _id !== undefined)).toBe(true);
  expect(
    (await collectionOf(world.services.db, memberResource).findOne({ _id: referrer._id }))?.referrals,
  ).toHaveLength(30);
});

test('a post that is repeated with its key creates nothing twice, also when its answer was lost', async () => {
  const rows = [row({ firstName: 'Key' }), row({ firstName: 'Key', email: 'bad' }), row({ firstName: 'Key' })];
  const first = await post(rows, 'bulk-1');
  const again = await post(rows, 'bulk-1');
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.body).toEqual(first.body);
  // The process ended after the effect and before the answer was stored.
  await world.services.db.collection('keyedrequests').deleteMany({ route: 'POST /members/bulk' });
  const repeated = await post(rows, 'bulk-1');
  expect(repeated.body).toEqual(first.body);
  expect(await countOf({ firstName: 'Key' })).toBe(2);
});

test.each([[{}], [[]], [Array.from({ length: 1001 }, () => ({}))]])(
  'a body that is no list of 1 to 1,000 is refused',
  async (sent) => {
    const before = await countOf({});
    expect((await post(sent)).status).toBe(400);
    expect(await countOf({})).toBe(before);
  },
);

test('1,000 rows are created in time, and every ledger agrees', async () => {
  const { status, body } = await post(Array.from({ length: 1000 }, (_unused, n) => row({ loyaltyID: `M-${n}` })));
  expect([status, body.length]).toEqual([200, 1000]);
  expect(await countOf({ loyaltyID: /^M-/ })).toBe(1000);
  expect(await reconcile(world.services, { onMismatch: () => undefined })).toMatchObject({ mismatches: 0 });
});
