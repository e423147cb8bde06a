import { createMember } from '#members/members/createMember';
import { client } from '../../support/client';
import { makeProgram } from '../../support/definitions';
import { refusals } from '../../support/refusals';
import { openTestServer } from '../../support/server';
import { makeTestOrg } from '../../support/services';

let server: Awaited<ReturnType<typeof openTestServer>>;

beforeAll(async () => {
  server = await openTestServer();
});

afterAll(() => server.close());

describe('enums', () => {
  test('are created, read, changed and deleted', async () => {
    const manager = server.as('program-manager');
    const created = await manager.post('/enums', { type: 'ActivityType', value: 'Survey', label: 'A survey' });
    expect(created).toMatchObject({ status: 201, body: { type: 'ActivityType', value: 'Survey' } });
    const path = `/enums/${created.body._id}`;

    expect((await manager.put(path, { order: 3 })).body).toMatchObject({ order: 3, label: 'A survey' });
    expect((await manager.get('/enums?type=ActivityType&sort=-order')).body).toHaveLength(1);
    expect((await manager.delete(path)).status).toBe(204);
    expect((await manager.get(path)).status).toBe(404);
  });

  test('have values that are unique in a type and org', async () => {
    const manager = server.as('program-manager');
    const { users } = await makeTestOrg(server.services, 'other');
    const body = { type: 'ChannelType', value: 'Kiosk' };

    expect((await manager.post('/enums', body)).status).toBe(201);
    expect(await manager.post('/enums', body)).toBeRefused(422, 1200, { errors: [{ path: 'value', kind: 'unique' }] });
    expect((await manager.post('/enums', { ...body, type: 'SalesUOM' })).status).toBe(201);
    expect((await client(server.url, users.admin.token).post('/enums', body)).status).toBe(201);
  });

  test('cannot be changed to the value of another', async () => {
    const manager = server.as('program-manager');
    await manager.post('/enums', { type: 'SequenceName', value: 'invoice' });
    const { body } = await manager.post('/enums', { type: 'SequenceName', value: 'receipt' });

    const refused = await manager.patch(`/enums/${body._id}`, { value: 'invoice' });

    expect(refused).toMatchObject({ status: 422, body: { errors: [{ path: 'value', kind: 'unique' }] } });
  });

  test('require type and value, and are read-only for clients', async () => {
    const refused = await server.as('program-manager').post('/enums', {});
    expect(refusals(refused)).toEqual(['type required', 'value required']);
    expect((await server.as('client').post('/enums', { type: 'A', value: 'B' })).status).toBe(403);
  });
});

test.each([
  ['ActivityType', 'Survey', { type: 'Survey' }, 'type'],
  ['ChannelType', 'Kiosk2', { srcChannelType: 'Kiosk2' }, 'srcChannelType'],
  ['SalesUOM', 'BOX', { lineItems: [{ quantity: 1, itemUOM: 'BOX' }] }, 'lineItems.0.itemUOM'],
])('an enum of %s extends what activities may say, from its creation to its end', async (type, value, fields, path) => {
  const { services } = server;
  const author = services.users.admin.principal;
  const program = await makeProgram(services.db, author);
  const { _id: memberID } = await createMember(services, author, { program: program._id }, services.clock.now());
  // Nothing is stored, because a stored record would prevent the deletion of the value.
  const post = () =>
    server.as('client').post('/activity?persist=false', { type: 'Accrual', value: 1, memberID, ...fields });

  expect(refusals(await post())).toEqual([`${path} enum`]);
  const { body } = await server.as('program-manager').post('/enums', { type, value });
  expect((await post()).status).toBe(200);
  expect((await server.as('program-manager').delete(`/enums/${body._id}`)).status).toBe(204);
  expect(refusals(await post())).toEqual([`${path} enum`]);
});
