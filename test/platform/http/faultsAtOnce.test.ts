import type { Client } from '../../support/client';
import { refusals } from '../../support/refusals';
import { openWorld, type World } from '../../support/world';

let world: World;
let manager: Client;
beforeAll(async () => {
  world = await openWorld({ rules: [] });
  manager = world.server.as('admin');
  for (const model of ['Location', 'Offer', 'Member', 'Activity', 'LineItem']) {
    const { body } = await manager.post('/extschemas', { model, name: model });
    await manager.post('/extdefs', { extSchema: body._id, field: 'size', type: 'integer', required: true });
  }
});
afterAll(() => world.close());

const nobody = '0123456789abcdef01234567';
const wrong = { size: 'large' };

test('faults of extension fields are reported beside those of the schema', async () => {
  expect(refusals(await manager.post('/locations', { number: 5, ext: wrong }))).toEqual([
    'name required',
    'number type',
    'ext.size type',
  ]);
  expect(refusals(await manager.post('/locations', { number: 5, name: 'A' }))).toEqual([
    'number type',
    'ext.size required',
  ]);
  expect(refusals(await manager.post('/members', { program: 5, ext: wrong }))).toEqual([
    'program type',
    'ext.size type',
  ]);
  const { body } = await manager.post('/locations', { number: 'A', name: 'A', ext: { size: 1 } });
  expect(refusals(await manager.put(`/locations/${body._id}`, { name: 5, ext: wrong }))).toEqual([
    'name type',
    'ext.size type',
  ]);
  expect(refusals(await manager.put(`/locations/${body._id}`, { name: 5, ext: 7 }))).toEqual(['name type', 'ext type']);
});

test('faults of extension fields are reported beside missing references', async () => {
  const offer = { code: 'A', name: 'A', program: nobody, ext: wrong };
  expect(refusals(await manager.post('/offers', offer))).toEqual(['ext.size type', 'program reference']);
});

test('all kinds of faults of an activity are reported at once', async () => {
  const posted = {
    type: 'Dance',
    srcChannelType: 'Pigeon',
    value: -1,
    date: '2999-01-01T00:00:00.000Z',
    ext: wrong,
    lineItems: [{ itemUOM: 'stone', quantity: 'two', ext: wrong }, 7],
  };
  const expected = [
    'date date',
    'ext.size type',
    'lineItems.0.ext.size type',
    'lineItems.0.itemUOM enum',
    'lineItems.0.quantity type',
    'lineItems.1 type',
    'lineItems.1.ext.size required',
    'memberID required',
    'srcChannelType enum',
    'type enum',
    'value minimum',
  ];
  expect(refusals(await manager.post('/activity', posted)).sort()).toEqual(expected);
  const { body } = await manager.post('/activities/bulk?async=true', [posted]);
  expect(refusals({ ...(await manager.get('/jobs')), body: body[0].error }).sort()).toEqual(expected);
  const cancel = await manager.post(`/activity/${nobody}/cancel`, {
    value: 'all',
    srcChannelType: 'Pigeon',
    ext: wrong,
  });
  expect(refusals(cancel).sort()).toEqual(['ext.size type', 'srcChannelType enum', 'value type']);
});

test('a field that can be set only at creation says so when it is sent later', async () => {
  const { _id } = await world.addMember();
  const { body } = await manager.put(`/members/${_id}`, { program: nobody, referralCode: 'X' });
  expect(body.errors).toMatchObject([
    { path: 'program', kind: 'readOnly', message: 'is given at creation and cannot be changed' },
    { path: 'referralCode', kind: 'readOnly', message: 'is computed by the service and cannot be written' },
  ]);
});
