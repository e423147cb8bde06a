import { lineItemFields, postedFields } from '#records/activities/activity';
import type { Client } from '../../support/client';
import { refusals } from '../../support/refusals';
import { addOffer, earnRule, openWorld, type World } from '../../support/world';

/** Null where the general test of updates (sentBack) does not look: activities, extension fields, free values. */
let world: World;
let admin: Client;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule] });
  world.services.clock.set('2026-01-31T12:00:00.000Z');
  admin = world.server.as('ledger-admin');
});
afterAll(() => world.close());

const change = (place: string, body: object) => {
  world.services.clock.advance(1000);
  return admin.put(place, body);
};

describe('null in an activity counts as absent', () => {
  const optional = Object.keys({ ...postedFields, lineItems: 1 }).filter(
    (name) => name !== 'type' && name !== 'memberID',
  );
  const nulls = Object.fromEntries(optional.map((name) => [name, null]));
  const line = { itemSKU: 'TEA-1', itemPrice: 5, quantity: 2 };
  const lines = [{ ...Object.fromEntries(Object.keys(lineItemFields).map((name) => [name, null])), ...line }];
  const historyOf = async (id: string) => (await admin.get(`/activityhistories/${id}`)).body;

  test('for a post', async () => {
    const { _id: memberID } = await world.addMember();
    const posted = { type: 'Accrual', memberID, status: null, createdAt: null };
    const { status, body } = await admin.post('/activity', { ...nulls, ...posted, lineItems: lines });
    expect([status, body.errors, body.result?.data.status]).toEqual([200, undefined, 'Processed']);
    const history = await historyOf(body.result.data.activityId);
    expect(history).toMatchObject({ value: 10, date: history.createdAt, lineItems: [{ ...line, itemAmount: 10 }] });
    const plain = await admin.post('/activity', { type: 'Accrual', memberID, lineItems: [line] });
    const plainHistory = await historyOf(plain.body.result.data.activityId);
    expect(Object.keys(history).sort()).toEqual(Object.keys(plainHistory).sort());
    expect((await admin.post('/activity', { ...nulls, type: null })).status).toBe(422);
  });

  test('for a cancel, whole or of a part', async () => {
    const { _id: memberID } = await world.addMember();
    const bought = await admin.post('/activity', { type: 'Accrual', memberID, value: 10 });
    const id = bought.body.result.data.activityId;
    // What names a part may not be null: it would take back the whole (docs/design/cancel.md).
    const { lineItems: _lines, value: _value, ...others } = nulls;
    expect((await admin.post(`/activity/${id}/cancel`, { ...others, value: 4 })).status).toBe(200);
    expect(await historyOf(id)).toMatchObject({ status: 'Processed', returnedValue: 4 });
    expect((await admin.post(`/activity/${id}/cancel`, { ...others, type: null, memberID: null })).status).toBe(200);
    expect(await historyOf(id)).toMatchObject({ status: 'Cancelled' });
  });

  test('for a bulk post', async () => {
    const { _id: memberID } = await world.addMember();
    const { body } = await admin.post('/activities/bulk?async=true', [
      { ...nulls, type: 'Accrual', memberID, value: 1 },
    ]);
    expect(body).toMatchObject([{ index: 0, status: 'Queued' }]);
  });
});

test('null in extension fields without a definition, and in a stored query, is a value', async () => {
  const known = { name: 'Kept', query: { firstName: null }, ext: { a: null, b: [null], c: { d: null } } };
  const { body } = await admin.post('/segments', known);
  expect(body).toMatchObject(known);
  const place = `/segments/${body._id}`;
  expect((await change(place, { ext: { b: [null] } })).body.ext).toEqual({ b: [null] });
  expect((await change(place, { query: { firstName: null, lastName: null } })).body.query).toHaveProperty('lastName');
  expect((await change(place, { query: { firstName: null } })).body.query).toEqual({ firstName: null });
});

describe('extension fields with definitions', () => {
  const ext = { size: 1, made: '2026-01-31T12:00:00.000Z', colour: 'red' };
  let place: string;
  beforeAll(async () => {
    const { body } = await admin.post('/extschemas', { model: 'Partner', name: 'Partner' });
    const define = (field: string, type: string, isRequired: boolean) =>
      admin.post('/extdefs', { extSchema: body._id, field, type, required: isRequired });
    for (const [field, type] of [
      ['colour', 'string'],
      ['made', 'date'],
    ] as const)
      await define(field, type, false);
    const first = await admin.post('/partners', { code: 'EXT', name: 'Ext', ext: { colour: 'red' } });
    place = `/partners/${first.body._id}`;
    await define('size', 'integer', true);
  });

  test('that became required later do not prevent other changes', async () => {
    const { body } = await admin.get(place);
    expect((await change(place, { ...body, name: 'Other' })).body).toMatchObject({
      name: 'Other',
      ext: { colour: 'red' },
    });
    expect(refusals(await change(place, { ...body, ext: { colour: 'blue' } }))).toContain('ext.size required');
  });

  test('are unchanged in another form of a date, and cleared by null unless they are required', async () => {
    const { body } = await change(place, { ext });
    const same = await change(place, { ...body, ext: { ...ext, made: '01/31/2026 12:00:00' } });
    expect(same.body).toEqual(body);
    const cleared = await change(place, { ext: { ...ext, colour: null } });
    expect(cleared.body.ext).toEqual({ size: ext.size, made: ext.made });
    expect(refusals(await change(place, { ext: { ...ext, size: null } }))).toEqual(['ext.size required']);
    expect(refusals(await change(place, { ext: null }))).toEqual(['ext.size required']);
  });
});

test('a list that a filter names keeps its model, and another one may lose it', async () => {
  const list = async (body: object) => `/namedlists/${(await admin.post('/namedlists', body)).body._id}`;
  const free = await list({ name: 'Free', model: 'Product' });
  expect((await change(free, { model: null })).body).not.toHaveProperty('model');
  const byQuery = await list({ name: 'By query', model: 'Product', kind: 'query', query: { sku: 'A' } });
  expect(refusals(await change(byQuery, { model: null }))).toEqual(['model required']);
  const named = await list({ name: 'Named', model: 'Product' });
  const productFilter = { inclusionparamsnamedList: named.split('/')[2] };
  await addOffer(world, 'N', { productFilter });
  expect(refusals(await change(named, { model: null }))).toEqual(['model inUse']);
});
