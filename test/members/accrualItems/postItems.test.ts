import { collectionOf } from '#base/db/collections';
import { reconcile } from '#members/reconcile/reconcile';
import type { Member } from '#records/members/member';
import { accrualItemResource } from '#records/points/accrualItem';
import { journalResource } from '#records/points/journal';
import { openWorld, type World } from '../../support/world';

let world: World;
let member: Member;
beforeAll(async () => {
  world = await openWorld({ rules: [] });
  member = await world.addMember();
});
afterAll(() => world.close());

const ledgerAdmin = () => world.server.as('ledger-admin');
const post = (rows: unknown, key?: string) =>
  ledgerAdmin().post('/accrualitems/bulk', rows, key === undefined ? {} : { headers: { 'Idempotency-Key': key } });
const row = (fields: object = {}) => ({
  member: member._id.toHexString(),
  purse: world.policies[0]?._id.toHexString(),
  accruedPoints: 10,
  ...fields,
});
const balance = async () => (await ledgerAdmin().get(`/members/${member._id}/purses`)).body[0].availBalance;
const agrees = async () =>
  expect(await reconcile(world.services, { onMismatch: () => undefined })).toMatchObject({ mismatches: 0 });

test('a bulk post adds every item, each journalled as an adjustment', async () => {
  const before = await balance();
  const { status, body } = await post([row(), row({ accruedPoints: 5, ext: { note: 'by hand' } })]);
  expect(status).toBe(200);
  expect(body).toEqual([
    { index: 0, _id: expect.any(String) },
    { index: 1, _id: expect.any(String) },
  ]);
  expect((await balance()) - before).toBe(15);
  const entries = await collectionOf(world.services.db, journalResource).find({ member: member._id }).toArray();
  expect(entries.map(({ kind }) => kind)).toEqual(['adjust', 'adjust']);
  expect((await ledgerAdmin().get(`/accrualitems/${body[1]._id}`)).body.ext).toEqual({ note: 'by hand' });
  await agrees();
});

test('a bulk post refuses faulty rows with the faults of single posts, and adds the others', async () => {
  const before = await balance();
  const bad = [
    row({ accruedPoints: 0 }),
    row({ member: world.program._id.toHexString() }),
    row({ purse: world.program._id.toHexString() }),
    row({ dtEarned: '2026-01-02T00:00:00Z', dtEscrowsOn: '2026-01-01T00:00:00Z' }),
    row({ burnedPoints: 3 }),
    {},
  ];
  const { body } = await post([...bad, row()]);
  const singles = [];
  for (const each of bad) singles.push((await ledgerAdmin().post('/accrualitems', each)).body);
  expect(body.slice(0, -1).map(({ error }: { error: object }) => error)).toMatchObject(
    singles.map(({ code, message, status, errors }) => ({ code, message, status, errors })),
  );
  expect((await balance()) - before).toBe(10);
  await agrees();
});

test('a row that would overflow a purse does not fail its neighbours', async () => {
  const own = await world.addMember();
  const rows = [5, Number.MAX_SAFE_INTEGER, 7].map((accruedPoints) =>
    row({ member: own._id.toHexString(), accruedPoints }),
  );
  const { body } = await post(rows);
  expect(body.map(({ error }: { error?: { code: number } }) => error?.code)).toEqual([undefined, 1200, undefined]);
  expect((await ledgerAdmin().get(`/members/${own._id}/purses`)).body[0].availBalance).toBe(12);
  await agrees();
});

test('an externalId works once within a post, in two concurrent posts and in single posts', async () => {
  const before = await balance();
  const rows = [row({ externalId: 'X-1' }), row({ externalId: 'X-1' }), row({ externalId: 'X-2' })];
  const answers = await Promise.all([post(rows), post(rows), post(rows)]);
  expect(answers.flatMap(({ body }) => body).filter(({ _id }: { _id?: string }) => _id)).toHaveLength(2);
  const single = await ledgerAdmin().post('/accrualitems', row({ externalId: 'X-2' }));
  expect([single.status, single.body.errors[0]]).toEqual([
    422,
    expect.objectContaining({ path: 'externalId', kind: 'unique' }),
  ]);
  expect((await balance()) - before).toBe(20);
  await agrees();
});

test('a post that is repeated with its key adds nothing twice, also when its answer was lost', async () => {
  const rows = [row(), row({ accruedPoints: -1 }), row()];
  const first = await post(rows, 'items-1');
  await world.services.db.collection('keyedrequests').deleteMany({ route: 'POST /accrualitems/bulk' });
  const count = () => collectionOf(world.services.db, accrualItemResource).countDocuments({});
  const before = await count();
  expect((await post(rows, 'items-1')).body).toEqual(first.body);
  expect(await count()).toBe(before);
});

test('an item of a merged or erased member is refused as in a single post', async () => {
  const [survivor, merged, erased] = [await world.addMember(), await world.addMember(), await world.addMember()];
  const admin = world.server.as('admin');
  await admin.post(`/members/${survivor._id}/merge`, { memberIds: [merged._id.toHexString()] });
  await admin.delete(`/members/${erased._id}`);
  const { body } = await post([merged, erased].map(({ _id }) => row({ member: _id.toHexString() })));
  expect(body.map(({ error }: { error: { code: number } }) => error.code)).toEqual([1510, 1510]);
});
