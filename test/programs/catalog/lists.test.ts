import { ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import { matchedSegments } from '#programs/catalog/matchedSegments';
import { membersInSegment } from '#programs/catalog/membersInSegment';
import { resolveNamedList } from '#programs/catalog/resolveNamedList';
import { namedListResource } from '#records/catalog/namedList';
import { segmentResource } from '#records/catalog/segment';
import type { Client } from '../../support/client';
import { makeProgram } from '../../support/definitions';
import { refusals } from '../../support/refusals';
import { openTestServer } from '../../support/server';

let server: Awaited<ReturnType<typeof openTestServer>>;
let manager: Client;

beforeAll(async () => {
  server = await openTestServer();
  manager = server.as('program-manager');
});
afterAll(() => server.close());

describe('named lists', () => {
  const product = async (sku: string, price: number): Promise<string> =>
    (await manager.post('/products', { sku, name: sku, price })).body._id;
  const stored = async (id: string) => {
    const list = await collectionOf(server.services.db, namedListResource).findOne({ _id: new ObjectId(id) });
    expect(list).not.toBeNull();
    return list ? resolveNamedList(server.services, list) : undefined;
  };

  test('list records by their ids, or those that a query selects at the time', async () => {
    const cheap = await product('cheap', 1);
    const dear = await product('dear', 100);
    const query = { $or: [{ price: { $gt: 50 } }, { 'ext.isDear': true }] };
    const byIds = await manager.post('/namedlists', { name: 'ids', model: 'Product', ids: [cheap] });
    const byQuery = await manager.post('/namedlists', { name: 'query', model: 'Product', kind: 'query', query });

    expect(byQuery).toMatchObject({ status: 201, body: { query } });
    expect(await stored(byIds.body._id)).toEqual(new Set([cheap]));
    expect(await stored(byQuery.body._id)).toEqual(new Set([dear]));
    const dearer = await product('dearer', 200);
    expect(await stored(byQuery.body._id)).toEqual(new Set([dear, dearer]));
    const changed = await manager.put(`/namedlists/${byQuery.body._id}`, { query: '{"price":{"$lt":2}}' });
    expect(changed).toMatchObject({ status: 200, body: { query: '{"price":{"$lt":2}}' } });
    expect(await stored(byQuery.body._id)).toEqual(new Set([cheap]));
  });

  test('keep comparing a string that looks like a shorthand', async () => {
    const odd = await product('~x', 1);
    await product('axb', 1);
    const query = { sku: { $eq: '~x' } };
    const { body } = await manager.post('/namedlists', { name: 'odd', model: 'Product', kind: 'query', query });
    const lists = collectionOf(server.services.db, namedListResource);
    await lists.updateOne({ _id: new ObjectId(body._id) }, { $set: { query: { sku: '~x' } } });
    expect(await stored(body._id)).toEqual(new Set([odd]));
  });

  test('answer for a few records at a time', async () => {
    const ids = [await product('one', 1), await product('two', 2)].map((id) => new ObjectId(id));
    const [one = new ObjectId()] = ids;
    const { body } = await manager.post('/namedlists', { name: 'few', model: 'Product', ids });
    const list = await collectionOf(server.services.db, namedListResource).findOne({ _id: new ObjectId(body._id) });
    const among = [one, new ObjectId()];
    expect(list && (await resolveNamedList(server.services, list, among))).toEqual(new Set([one.toHexString()]));
    const queried = list && ({ ...list, kind: 'query', query: { sku: { $in: ['one', 'two'] } } } as const);
    expect(queried && (await resolveNamedList(server.services, queried, among))).toEqual(new Set([one.toHexString()]));
  });

  test.each([
    ['an unknown model', { model: 'Colour' }, ['model reference']],
    ['no model', { kind: 'query', query: { a: 1 } }, ['model required']],
    ['no query', { kind: 'query', model: 'Product' }, ['query required']],
    ['an unknown field', { kind: 'query', model: 'Product', query: { colour: 1 } }, ['query format']],
    ['an operator that reads refuse', { kind: 'query', model: 'Product', query: { $where: '1' } }, ['query format']],
    ['a text like a shorthand', { kind: 'query', model: 'Product', query: { sku: '~x' } }, ['query format']],
    ['a query of nothing', { kind: 'query', model: 'Product', query: {} }, ['query format']],
    ['a query that is no JSON', { kind: 'query', model: 'Product', query: '{' }, ['query format']],
    ['a query that is a list', { kind: 'query', model: 'Product', query: [] }, ['query type']],
    ['ids that are not there', { model: 'Product', ids: ['0'.repeat(24)] }, ['ids.0 reference']],
    ['ids that are none', { model: 'Product', ids: ['x'] }, ['ids.0 pattern']],
    ['a kind that is none', { kind: 'dynamic' }, ['kind enum']],
  ])('are refused with %s', async (_, fields, expected) => {
    const answer = await manager.post('/namedlists', { name: 'refused', ...fields });
    expect(answer.status).toBe(422);
    expect(refusals(answer)).toEqual(expected);
  });

  test('keep their model, and list only records that their author may read', async () => {
    const { body } = await manager.post('/namedlists', { name: 'kept', model: 'Product' });
    expect(refusals(await manager.put(`/namedlists/${body._id}`, { model: 'Location' }))).toEqual(['model readOnly']);
    expect((await manager.put(`/namedlists/${body._id}`, { model: 'Product' })).status).toBe(200);
    const users = { name: 'users', model: 'User', kind: 'query', query: { username: 'x' } };
    expect((await manager.post('/namedlists', users)).status).toBe(403);
    expect(
      (await server.as('admin').post('/namedlists', { ...users, model: 'Session', query: { user: null } })).status,
    ).toBe(403);
  });
});

describe('segments', () => {
  test('have the members that name them, or that a query selects', async () => {
    const { db, org, users } = server.services;
    const program = (await makeProgram(db, users.admin.principal))._id.toHexString();
    const vip = (await manager.post('/segments', { name: 'VIP' })).body._id;
    const empty = (await manager.post('/segments', { name: 'Empty' })).body._id;
    const french = { name: 'French', kind: 'query', query: { locale: { $regex: '^fr' } } };
    expect((await manager.post('/segments', french)).status).toBe(201);
    const member = async (fields: object): Promise<string> =>
      (await server.as('client').post('/members', { program, ...fields })).body._id;
    const both = await member({ segments: [vip], locale: 'fr-FR' });
    const one = await member({ locale: 'fr-CA' });
    const none = await member({ locale: 'en-GB' });
    expect((await server.as('client').put(`/members/${one}`, { segments: [vip] })).status).toBe(200);

    const segments = await collectionOf(db, segmentResource).find({ org: org._id }).toArray();
    const members = [both, one, none, '0'.repeat(24)].map((id) => new ObjectId(id));
    const names = await matchedSegments(db, { org: org._id, members, segments });

    expect(Object.fromEntries([...names].map(([id, set]) => [id, [...set].sort()]))).toEqual({
      [both]: ['French', 'VIP'],
      [one]: ['French', 'VIP'],
      [none]: [],
      ['0'.repeat(24)]: [],
    });
    expect(await matchedSegments(db, { org: org._id, members: [], segments })).toEqual(new Map());
    const balances = async (name: string) => {
      const [segment] = segments.filter((each) => each.name === name);
      return segment && (await membersInSegment(db, segment)).map(String);
    };
    expect([await balances('VIP'), await balances('French'), await balances('Empty')]).toEqual([
      [both, one],
      [both, one],
      [],
    ]);

    expect(refusals(await manager.delete(`/segments/${vip}`))).toEqual(['_id inUse']);
    expect((await manager.delete(`/segments/${empty}`)).status).toBe(204);
    const unknown = await server.as('client').post('/members', { program, segments: [vip, empty] });
    expect(refusals(unknown)).toEqual(['segments.1 reference']);
  });

  test.each([
    ['no query', { kind: 'query' }, ['query required']],
    ['an unknown field', { kind: 'query', query: { colour: 1 } }, ['query format']],
    ['a hidden field', { kind: 'query', query: { seq: 1 } }, ['query format']],
  ])('are refused with %s', async (_, fields, expected) => {
    const { body } = await manager.post('/segments', { name: `static ${expected[0]} ${new ObjectId()}` });
    expect(refusals(await manager.post('/segments', { name: 'refused', ...fields }))).toEqual(expected);
    expect(refusals(await manager.put(`/segments/${body._id}`, fields))).toEqual(expected);
  });
});

test('a query is checked also while the list or segment is static', async () => {
  const query = { $where: '1' };
  expect(refusals(await manager.post('/segments', { name: 'kept query', query }))).toEqual(['query format']);
  const list = { name: 'kept query', model: 'Product', query };
  expect(refusals(await manager.post('/namedlists', list))).toEqual(['query format']);
  expect(refusals(await manager.post('/namedlists', { name: 'kept query', query }))).toEqual(['model required']);
  const { body } = await manager.post('/segments', { name: 'kept query', query: { locale: 'fr' } });
  expect(refusals(await manager.put(`/segments/${body._id}`, { query }))).toEqual(['query format']);
});
