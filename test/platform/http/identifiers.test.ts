import { collectionOf } from '#base/db/collections';
import { submissionResource } from '#records/activities/submission';
import { memberResource } from '#records/members/member';
import { importing } from '../../exchange/imports/importing';
import { earnRule, openWorld, type World } from '../../support/world';

let world: World;
beforeAll(async () => {
  const names = ["it's", 'x]y', 'Prämie'.normalize('NFC')];
  const rules = names.map((purse, index) => ({
    ...earnRule,
    key: `odd-${index}`,
    // The second time, the rule reads its purse by a path.
    actions: [{ type: 'addPoints', purse, points: 7 }],
    conditions: {
      all: [
        {
          fact: 'member',
          operator: 'lessThan',
          value: 7,
          path: `$.purse['${purse.replaceAll("'", "''").normalize('NFD')}'].availBalance`,
        },
      ],
    },
  }));
  world = await openWorld({ rules, policies: [{ primary: true }, ...names.map((name) => ({ name }))] });
});
afterAll(() => world.close());

const admin = () => world.server.as('ledger-admin');
const faults = ({ status, body }: { status: number; body: { errors?: { path: string; kind: string }[] } }) => ({
  status,
  errors: body.errors?.map(({ path, kind }) => `${path} ${kind}`),
});
const nfc = 'Å-1'.normalize('NFC');
const nfd = 'Å-1'.normalize('NFD');

test.each(['S ', ' S', 'S\t', 'S\u00A0', 'S\u200B', '\uFEFFS', 'S\u3000T', 'S\u00ADT'])(
  'a body that names a record by %j is refused and changes nothing',
  async (odd) => {
    const program = world.program._id;
    const bodies: [string, object, string][] = [
      ['/members', { program, loyaltyID: odd }, 'loyaltyID'],
      ['/activity', { type: 'Accrual', loyaltyID: odd, value: 1 }, 'loyaltyID'],
      ['/activity', { type: 'Accrual', loyaltyID: 'X', value: 1, externalTxnId: odd }, 'externalTxnId'],
      [
        '/activity',
        { type: 'Accrual', loyaltyID: 'X', value: 1, lineItems: [{ itemSKU: odd }] },
        'lineItems.0.itemSKU',
      ],
      ['/products', { sku: odd, name: 'Tea' }, 'sku'],
      ['/locations', { number: odd, name: 'Shop' }, 'number'],
      ['/partners', { code: odd, name: 'Air' }, 'code'],
      ['/offers', { code: odd, name: 'Ten', program }, 'code'],
      ['/segments', { name: odd }, 'name'],
      ['/pursepolicies', { name: odd, program }, 'name'],
      ['/tierpolicies', { name: odd, program }, 'name'],
      ['/enums', { type: 'ActivityType', value: odd }, 'value'],
      ['/namedlists', { name: odd, model: 'Product' }, 'name'],
      ['/apikeys', { name: odd, roles: ['reader'] }, 'name'],
      ['/users', { username: odd, password: 'a long password' }, 'username'],
    ];
    for (const [path, body, field] of bodies) {
      const { status, errors = [] } = faults(await admin().post(path, body));
      expect([path, status, errors.includes(`${field} identifier`)]).toEqual([path, 422, true]);
    }
  },
);

test.each([
  ['members', 'loyaltyID', { loyaltyID: 'Ö-2' }],
  ['products', 'sku', { sku: 'Ö-2', name: 'Tea' }],
])('a pattern finds %s by %s in either form of Unicode', async (path, field, body) => {
  const own = path === 'members' ? { program: world.program._id } : {};
  expect((await admin().post(`/${path}`, { ...own, ...body })).status).toBe(201);
  for (const form of ['Ö-2'.normalize('NFC'), 'Ö-2'.normalize('NFD')]) {
    const queries = [
      `${field}=${encodeURIComponent(`~^${form}$`)}`,
      `query=${encodeURIComponent(JSON.stringify({ [field]: { $regex: `^${form}` } }))}`,
    ];
    for (const query of queries) expect((await admin().get(`/${path}?${query}`)).body).toHaveLength(1);
  }
});

test('one purchase counts once, however its number is padded', async () => {
  await world.addMember({ loyaltyID: 'TILL' });
  const post = (externalTxnId: string) =>
    admin().post('/activity', { type: 'Accrual', loyaltyID: 'TILL', value: 1, externalTxnId });
  expect((await post('TX')).status).toBe(200);
  for (const padded of ['TX ', 'TX\t', '\u00A0TX']) expect((await post(padded)).status).toBe(422);
  const { imported } = importing(world);
  const rows = [
    'type,loyaltyID,value,externalTxnId',
    'Accrual,TILL,1,TX2',
    'Accrual,TILL ,1," TX2"',
    'Accrual,TILL,1,TX2\u00A0',
  ];
  const { counts } = await imported({ kind: 'activities', content: rows.join('\n') });
  expect(counts).toMatchObject({ rows: 3 });
  const taken = await collectionOf(world.services.db, submissionResource)
    .find({ key: /TX/ })
    .sort({ key: 1 })
    .toArray();
  expect(taken.map(({ key }) => key)).toEqual(['TX', 'TX2']);
});

test.each(['key\u00A0', '\u00A0key', 'k\u00ADey'])('the header Idempotency-Key may not be %j', async (key) => {
  const sent = { headers: { 'idempotency-key': key } };
  const { status, body } = await admin().post('/activity', { type: 'Accrual', loyaltyID: 'TILL', value: 1 }, sent);
  expect([status, body.message]).toEqual([400, expect.stringMatching(/^Idempotency-Key must/)]);
});

test('all forms of one id name one member, wherever they occur', async () => {
  expect((await admin().post('/members', { program: world.program._id, loyaltyID: nfd })).body.loyaltyID).toBe(nfc);
  for (const form of [nfc, nfd]) {
    const again = await admin().post('/members', { program: world.program._id, loyaltyID: form });
    expect(faults(again)).toEqual({ status: 422, errors: ['loyaltyID unique'] });
    const key = `${form}-${form.length}`;
    const posted = await admin().post('/activity', { type: 'Accrual', loyaltyID: form, value: 1, externalTxnId: key });
    expect(posted.status).toBe(200);
    for (const requested of [nfc, nfd]) {
      const status = await admin().get(`/activity/status/${encodeURIComponent(`${requested}-${form.length}`)}`);
      expect([status.status, status.body.status]).toEqual([200, 'Processed']);
      const found = await admin().get(`/members?loyaltyID=${encodeURIComponent(requested)}`);
      expect(found.body.length).toBe(1);
      const query = JSON.stringify({ externalTxnId: `${requested}-${form.length}` });
      expect((await admin().get(`/activityhistories?query=${encodeURIComponent(query)}`)).body.length).toBe(1);
    }
  }
});

test('a rule reads purses whose names need quotes, also from a file in another form of Unicode', async () => {
  const member = await world.addMember({ loyaltyID: 'QUOTES' });
  for (let n = 0; n < 2; n += 1) await admin().post('/activity', { type: 'Accrual', loyaltyID: 'QUOTES', value: 1 });
  const { body } = await admin().get(`/members/${member._id}`);
  const balances = body.purses.map(({ availBalance }: { availBalance: number }) => availBalance);
  expect(balances.sort()).toEqual([0, 7, 7, 7]);
});

test('records of an earlier version are found and can be written back as they are', async () => {
  const { db, org } = world.services;
  const made = await world.addMember({ loyaltyID: 'OLD-1', firstName: 'Ada' });
  const members = collectionOf(db, memberResource);
  const old = 'Öld'.normalize('NFD');
  const form = async (id: string) =>
    members.updateOne({ _id: made._id }, { $set: { loyaltyID: id, loyaltyIDs: [id] } });
  await form(old);
  for (const id of [old, old.normalize('NFC')]) {
    const posted = await admin().post('/activity', { type: 'Accrual', loyaltyID: id, value: 1 });
    expect(posted.status).toBe(200);
    expect((await admin().get(`/members?loyaltyID=${encodeURIComponent(id)}`)).body.length).toBe(1);
    const taken = await admin().post('/members', { program: world.program._id, loyaltyID: id });
    expect(faults(taken)).toEqual({ status: 422, errors: ['loyaltyID unique'] });
    const back = await admin().put(`/members/${made._id}`, { loyaltyID: id, firstName: 'Bea' });
    expect(back.status).toBe(200);
  }
  await form('S ');
  expect((await admin().get(`/members?loyaltyID=${encodeURIComponent('S ')}`)).body.length).toBe(1);
  expect((await admin().put(`/members/${made._id}`, { loyaltyID: 'S ', firstName: 'Cleo' })).status).toBe(200);
  const segments = db.collection('segments');
  const { body: segment } = await admin().post('/segments', { name: 'Gold' });
  await segments.updateOne({ org: org._id, name: 'Gold' }, { $set: { name: 'Gold\t' } });
  const written = await admin().put(`/segments/${segment._id}`, { name: 'Gold\t', ext: { a: 1 } });
  expect([written.status, written.body.name]).toEqual([200, 'Gold\t']);
});
