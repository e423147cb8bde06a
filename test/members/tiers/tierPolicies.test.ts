import { levelFaults } from '#engine/tiers/levelFaults';
import { makeProgram } from '../../support/definitions';
import { refusals } from '../../support/refusals';
import { openTestServer } from '../../support/server';

let server: Awaited<ReturnType<typeof openTestServer>>;
let program: string;

beforeAll(async () => {
  server = await openTestServer();
  const { db, users } = server.services;
  program = (await makeProgram(db, users.admin.principal))._id.toHexString();
});
afterAll(() => server.close());

const miles = { metric: 'miles', period: 'year' };
const level = (name: string, number: number, threshold: number) => ({ name, number, threshold });

test.each([
  ['no level', [], []],
  ['rising levels in any order', [level('Gold', 2, 500), level('Basic', 0, 0), level('Silver', 1, 100)], []],
  ['a name twice', [level('A', 1, 1), level('A', 2, 2)], ['levels.1.name unique']],
  ['a number twice', [level('A', 1, 1), level('B', 1, 2)], ['levels.1.number unique']],
  ['a threshold that falls', [level('Gold', 3, 50), level('Silver', 1, 100)], ['levels.0.threshold exclusiveMinimum']],
  ['equal thresholds', [level('A', 1, 5), level('B', 2, 5)], ['levels.1.threshold exclusiveMinimum']],
])('a ladder with %s is checked', (_, levels, expected) => {
  expect(levelFaults(levels).map(({ path, kind }) => `${path} ${kind}`)).toEqual(expected);
});

test.each([
  [{ levels: [level('A', 1, 5), level('B', 2, 1)] }, ['levels.1.threshold exclusiveMinimum']],
  [{ levels: [{ name: 'A', number: 1 }] }, ['levels.0.threshold required']],
  [{ basis: { metric: 'spend', period: 'decade' } }, ['basis.period enum']],
  [{ basis: { metric: 'spend' } }, ['basis.period required']],
  [{ downgrade: 'two' }, ['downgrade enum']],
  [{ expiry: { value: 0, unit: 'day' } }, ['expiry.value minimum']],
  [{ expiry: { value: 3651, unit: 'year' } }, ['expiry.value maximum']],
  [{ grace: { value: 3651, unit: 'day' } }, ['grace.value maximum']],
  [{ grace: { value: 1, unit: 'fortnight' } }, ['grace.unit enum']],
  [{ expiry: { value: 1, unit: 'year', snap: 'endOfDecade' } }, ['expiry.snap enum']],
  [{ lateClaims: 'counted' }, ['basis required']],
  [{ lateClaims: 'counted', basis: miles, expiry: { value: 1, unit: 'year' } }, ['expiry.snap enum']],
  [{ levels: [{ ...level('A', 1, 5), lifetime: {} }] }, ['levels.0.lifetime.years required']],
  [{ levels: [{ ...level('A', 1, 5), lifetime: { metric: 'm' } }] }, ['levels.0.lifetime.atLeast required']],
  [{ levels: [{ ...level('A', 1, 5), lifetime: { atLeast: 5 } }] }, ['levels.0.lifetime.metric required']],
])('%j is refused at creation and later', async (fields, expected) => {
  const manager = server.as('program-manager');
  const name = JSON.stringify(fields).slice(0, 90);
  const created = await manager.post('/tierpolicies', { name, program });
  expect(refusals(await manager.post('/tierpolicies', { name: 'Other', program, ...fields }))).toEqual(expected);
  expect(refusals(await manager.put(`/tierpolicies/${created.body._id}`, fields))).toEqual(expected);
});

test('a policy that counts late claims keeps terms that end alike, whatever part of it changes', async () => {
  const manager = server.as('program-manager');
  const expiry = { value: 0, unit: 'year', snap: 'endOfYear' };
  const policy = { name: 'Late', program, basis: miles, expiry, lateClaims: 'counted' };
  const created = await manager.post('/tierpolicies', policy);
  expect([created.status, created.body.expiry]).toEqual([201, expiry]);
  const path = `/tierpolicies/${created.body._id}`;
  expect(refusals(await manager.put(path, { expiry: { value: 1, unit: 'year' } }))).toEqual(['expiry.snap enum']);
  expect(refusals(await manager.put(path, { basis: null }))).toEqual(['basis required']);
  expect((await manager.put(path, { expiry: null })).status).toBe(200);
});

test('another program may have a policy of the same name', async () => {
  const { db, users } = server.services;
  const other = (await makeProgram(db, users.admin.principal))._id.toHexString();
  const manager = server.as('program-manager');
  expect((await manager.post('/tierpolicies', { name: 'Status', program })).status).toBe(201);
  expect((await manager.post('/tierpolicies', { name: 'Status', program: other })).status).toBe(201);
});
