import { type Client, client } from '../../support/client';
import { makeProgram } from '../../support/definitions';
import { refusals } from '../../support/refusals';
import { openTestServer } from '../../support/server';
import { makeTestOrg } from '../../support/services';
import { openWorld, type World } from '../../support/world';

let server: Awaited<ReturnType<typeof openTestServer>>;
let manager: Client;
beforeAll(async () => {
  server = await openTestServer();
  manager = server.as('program-manager');
});
afterAll(() => server.close());

async function define(who: Client, model: string, fields: Record<string, object>): Promise<string[]> {
  const schema = await who.post('/extschemas', { model, name: `of ${model}` });
  expect(schema.status).toBe(201);
  const ids: string[] = [];
  for (const [field, def] of Object.entries(fields)) {
    const { status, body } = await who.post('/extdefs', { extSchema: schema.body._id, field, type: 'string', ...def });
    expect(status).toBe(201);
    ids.push(body._id);
  }
  return ids;
}

describe('definitions', () => {
  test.each([
    ['of an unknown model', { model: 'Colour', name: 'x' }, ['model reference']],
    ['of a model without ext', { model: 'Session', name: 'x' }, ['model reference']],
  ])('%s are refused', async (_, body, expected) => {
    expect(refusals(await manager.post('/extschemas', body))).toEqual(expected);
  });

  test.each(['Activity', 'ActivityHistory', 'LineItem', 'Account', 'Member', 'PursePolicy'])(
    'may be of %s',
    async (model) => {
      expect((await manager.post('/extschemas', { model, name: 'any' })).status).toBe(201);
    },
  );

  test.each([
    [{ type: 'enum' }, ['enumType required']],
    [{ pattern: '(' }, ['pattern format']],
    [{ pattern: '(a)\\1' }, ['pattern format']],
    [{ type: 'integer', min: 3, max: 2 }, ['max minimum']],
    [{ type: 'colour' }, ['type enum']],
  ])('with %j are refused, at creation and later', async (fields, expected) => {
    const schema = await manager.post('/extschemas', { model: 'Reward', name: JSON.stringify(fields) });
    const def = { extSchema: schema.body._id, field: 'a', type: 'string' };
    expect(refusals(await manager.post('/extdefs', { ...def, ...fields }))).toEqual(expected);
    const { body } = await manager.post('/extdefs', def);
    expect(refusals(await manager.put(`/extdefs/${body._id}`, fields))).toEqual(expected);
  });

  test.each(['constructor', 'toString', '__proto__'])(
    'of the field %s are refused: every object has it',
    async (field) => {
      const schema = await manager.post('/extschemas', { model: 'Reward', name: `with ${field}` });
      const def = { extSchema: schema.body._id, field, type: 'string' };
      expect(refusals(await manager.post('/extdefs', def))).toEqual(['field pattern']);
    },
  );

  test('keep their schema from being deleted', async () => {
    await define(manager, 'Enum', { a: {} });
    const [schema] = (await manager.get('/extschemas?model=Enum')).body;
    expect(refusals(await manager.delete(`/extschemas/${schema._id}`))).toEqual(['_id inUse']);
  });
});

describe('the ext of a record', () => {
  test('is checked on every write, as long as it is defined', async () => {
    const before = await manager.post('/locations', { number: 'L-0', name: 'Before', ext: { anything: [1] } });
    await manager.post('/enums', { type: 'StoreSize', value: 'big' });
    const [area = ''] = await define(manager, 'Location', {
      area: { type: 'integer', required: true, min: 1 },
      opened: { type: 'date' },
      size: { type: 'enum', enumType: 'StoreSize' },
    });
    const bare = { number: 'L-1', name: 'Store' };

    expect(refusals(await manager.post('/locations', bare))).toEqual(['ext.area required']);
    const wrong = { area: 0, opened: 'then', size: 'small', colour: 'red' };
    expect(refusals(await manager.post('/locations', { ...bare, ext: wrong })).sort()).toEqual(
      ['ext.area minimum', 'ext.opened date', 'ext.size enum', 'ext.colour additionalProperties'].sort(),
    );
    const ext = { area: 120, opened: '2020-05-01T10:00:00.000+02:00', size: 'big' };
    const created = await manager.post('/locations', { ...bare, ext });
    const kept = { ...ext, opened: '2020-05-01T08:00:00.000Z' };
    expect(created).toMatchObject({ status: 201, body: { ext: kept } });
    const path = `/locations/${created.body._id}`;
    expect(refusals(await manager.patch(path, { ext: { area: 'big' } }))).toEqual(['ext.area type']);
    expect((await manager.put(path, { name: 'Renamed' })).body).toMatchObject({ name: 'Renamed', ext: kept });
    expect((await manager.put(`/locations/${before.body._id}`, { name: 'After' })).status).toBe(200);

    await manager.post('/enums', { type: 'StoreSize', value: 'small' });
    expect((await manager.put(path, { ext: { area: 1, size: 'small' } })).status).toBe(200);
    expect((await manager.put(`/extdefs/${area}`, { min: 5 })).status).toBe(200);
    expect(refusals(await manager.put(path, { ext: { area: 1 } }))).toEqual(['ext.area minimum']);
    expect((await manager.delete(`/extdefs/${area}`)).status).toBe(204);
    expect(refusals(await manager.put(path, { ext: { area: 9 } }))).toEqual(['ext.area additionalProperties']);
  });

  test("is not checked by another org's definitions", async () => {
    await define(manager, 'Partner', { tier: { required: true } });
    const { users } = await makeTestOrg(server.services, 'elsewhere');
    const stranger = client(server.url, users.admin.token);
    expect((await stranger.post('/partners', { code: 'P', name: 'P', ext: { x: 1 } })).status).toBe(201);
  });

  test('is checked for members and accounts too', async () => {
    const { db, users } = server.services;
    const program = (await makeProgram(db, users.admin.principal))._id;
    const integrator = server.as('client');
    await define(manager, 'Member', { shoe: { type: 'number', max: 60 } });
    await define(manager, 'Account', { house: { pattern: '^H-' } });

    expect(refusals(await integrator.post('/members', { program, ext: { shoe: 61 } }))).toEqual(['ext.shoe maximum']);
    const member = await integrator.post('/members', { program, ext: { shoe: 41.5 } });
    expect(member).toMatchObject({ status: 201, body: { ext: { shoe: 41.5 } } });
    const changed = await integrator.put(`/members/${member.body._id}`, { ext: { hat: 1 } });
    expect(refusals(changed)).toEqual(['ext.hat additionalProperties']);
    const members = [{ member: member.body._id, program }];
    expect(refusals(await integrator.post('/accounts', { members, ext: { house: 'x' } }))).toEqual([
      'ext.house pattern',
    ]);
    expect((await integrator.post('/accounts', { members, ext: { house: 'H-1' } })).status).toBe(201);
  });
});

describe('field=value of an extension field', () => {
  const skus = async (args: string) =>
    (await manager.get(`/products?${args}&sort=sku`)).body.map(({ sku }: { sku: string }) => sku);

  test('matches numbers and strings until it is defined, then values of its type', async () => {
    for (const [sku, ext] of Object.entries({
      n3: { a: 3 },
      t3: { a: '3' },
      n20: { a: 20 },
      yes: { b: true },
      old: { d: '2020-01-01T00:00:00.000Z' },
      new: { d: '2026-01-01T00:00:00.000Z' },
    })) {
      await manager.post('/products', { sku, name: sku, ext });
    }
    expect(await skus('ext.a=3')).toEqual(['n3', 't3']);
    expect(await skus('ext.a=!=3&sku=~^n')).toEqual(['n20', 'new']);
    expect(await skus('ext.a=>3')).toEqual(['n20']);
    expect(await skus('ext.b=true')).toEqual(['yes']);

    await define(manager, 'Product', { a: { type: 'integer' }, b: { type: 'boolean' }, d: { type: 'date' } });

    expect(await skus('ext.a=3')).toEqual(['n3']);
    expect(await skus('ext.a=>=3')).toEqual(['n20', 'n3']);
    expect(await skus('ext.b=true')).toEqual(['yes']);
    expect(await skus('ext.d=>2020-01-01T00:00:00.000-01:00')).toEqual(['new']);
    expect(await skus(`query=${encodeURIComponent('{"ext.d":{"$lte":"2020-01-01T00:00:00Z"}}')}`)).toEqual(['old']);
    expect((await manager.get('/products?ext.a=many')).status).toBe(400);
    expect((await manager.get('/products/count?ext.d=yesterday')).status).toBe(400);
  });
});

describe('activities', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ rules: [] });
    const admin = world.server.as('admin');
    await define(admin, 'Activity', { till: { type: 'integer', required: true }, at: { type: 'date' } });
    await define(admin, 'LineItem', { colour: { type: 'string', max: 5 } });
  });
  afterAll(() => world.close());

  test('are checked with their line items, alone, in bulk, and as cancellations', async () => {
    const integrator = world.server.as('client');
    const memberID = (await world.addMember())._id;
    const activity = { type: 'Accrual', value: 1, memberID };
    const wrong = { ...activity, ext: { till: 'x' }, lineItems: [{ quantity: 1, ext: { size: 1 } }] };
    const faults = ['ext.till type', 'lineItems.0.ext.size additionalProperties'];

    expect(refusals(await integrator.post('/activity', activity))).toEqual(['ext.till required']);
    expect(refusals(await integrator.post('/activity', wrong))).toEqual(faults);
    const bulk = await integrator.post('/activities/bulk?async=true', [wrong]);
    expect(refusals({ ...bulk, body: bulk.body[0].error })).toEqual(faults);

    const lineItems = [{ quantity: 1, ext: { colour: 'red' } }];
    const ext = { till: 3, at: '2026-01-31T12:00:00.000' };
    const posted = await integrator.post('/activity', { ...activity, utcOffset: 60, ext, lineItems });
    expect(posted.status).toBe(200);
    const { activityId } = posted.body.result.data;
    const history = await integrator.get(`/activityhistories/${activityId}`);
    expect(history.body).toMatchObject({ ext: { till: 3, at: '2026-01-31T11:00:00.000Z' }, lineItems });
    const found = await integrator.get('/activityhistories?ext.till=3&lineItems.ext.colour=red&select=_id');
    expect(found.body).toEqual([{ _id: activityId }]);

    const cancel = `/activity/${activityId}/cancel`;
    expect(refusals(await integrator.post(cancel, {}))).toEqual(['ext.till required']);
    expect((await integrator.post(cancel, { ext: { till: 1 } })).status).toBe(200);
  });
});
