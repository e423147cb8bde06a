import type { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { ObjectId } from 'bson';
import type { Client, Response } from '../../support/client';
import { quickAjv } from '../../support/quickAjv';
import { insertSamples } from '../../support/samples';
import { share } from '../../support/scale';
import { openTestServer } from '../../support/server';

/** The service treats requests as the OpenAPI document describes them. */
let server: Awaited<ReturnType<typeof openTestServer>>;
let admin: Client;
let document: Response['body'];
let ajv: Ajv2020;
/** The id of a record in every collection. */
const id = new ObjectId().toHexString();
beforeAll(async () => {
  server = await openTestServer();
  admin = server.as('ledger-admin');
  await insertSamples(server.services, new ObjectId(id));
  document = (await server.anonymous.send('GET', '/openapi.json')).body;
  ajv = quickAjv();
  addFormats.default(ajv);
  ajv.addSchema(document, 'document');
});
afterAll(() => server.close());

const encoded = (part: string) => encodeURIComponent(part.replaceAll('/', '~1'));

/** Tells whether a value is valid for the schema at this place of an operation. */
function fits(operation: [string, string], place: string, value: unknown): boolean {
  const [method, template] = operation;
  const pointer = `#/paths/${encoded(`/api/v1${template}`)}/${method.toLowerCase()}/${place}`;
  return Boolean(ajv.validate({ $ref: `document${pointer}` }, value));
}

const refusedKinds = ({ body }: Response): string[] =>
  (body.errors ?? []).map(({ kind, path }: { kind: string; path: string }) => `${path}: ${kind}`);

const activity = { type: 'Accrual', value: 1 };
const simulated = { key: 'a', name: 'A', activityTypes: ['Accrual'], actions: [{ type: 'log', message: 'a' }] };

test.each([
  ['/activity', activity, ['memberID: required']],
  ['/activity', { type: 'Cancellation', loyaltyID: 'L-1' }, ['originalTxnId: required']],
  ['/activity', { ...activity, loyaltyID: 'L-1', date: '2026-02-29T00:00:00Z' }, ['date: date']],
  ['/activity', { ...activity, memberID: null, loyaltyID: null }, ['memberID: required']],
  ['/namedlists', { name: 'a', kind: 'query' }, ['model: required', 'query: required']],
  ['/namedlists', { name: null, kind: 'query', model: null, query: null }, ['name: required']],
  ['/segments', { name: 'a', kind: 'query', query: null }, ['query: required']],
  ['/namedlists', { name: 'a', query: { status: 'Active' } }, ['model: required']],
  ['/namedlists', { name: 'a', kind: 'query', model: 'Member', query: {} }, ['query: format']],
  ['/segments', { name: 'a', kind: 'query' }, ['query: required']],
  ['/members', { program: id, loyaltyID: `erased-${id}` }, ['loyaltyID: pattern']],
  ['/members', { program: id, loyaltyID: `Merged-${id.toUpperCase()}` }, ['loyaltyID: pattern']],
  ['/members', { program: id, ext: { 'a.b': 1 } }, ['ext: additionalProperties']],
  ['/members', { program: id, address: { $a: 1 } }, ['address: additionalProperties']],
  ['/rules/simulate', {}, ['rules: required']],
  ['/rules/simulate', { rules: [simulated], files: { 'a/a.json': '[]' } }, ['files: required']],
  [`/members/{id}/merge`, { memberIds: [id, id] }, ['memberIds.1: unique']],
])('a body that POST %s refuses does not fit the document: %j', async (template, body, kinds) => {
  const answer = await admin.post(template.replace('{id}', id), body);
  expect([answer.status, refusedKinds(answer)]).toEqual([422, expect.arrayContaining(kinds)]);
  expect(fits(['POST', template], 'requestBody/content/application~1json/schema', body)).toBe(false);
});

test.each([
  ['/activity', { ...activity, loyaltyID: 'nobody', date: '2024-02-29T00:00:00Z' }, 404],
  ['/activity', { ...activity, memberID: new ObjectId().toHexString() }, 404],
  ['/activity', { type: 'Cancellation', originalTxnId: new ObjectId().toHexString() }, 404],
  ['/namedlists', { name: 'by query', kind: 'query', model: 'Member', query: { status: 'Active' } }, 201],
  ['/namedlists', { name: 'static' }, 201],
  ['/namedlists', { name: 'nulls', kind: null, model: 'Member', ids: null, query: null, ext: null }, 201],
  ['/segments', { name: 'by query', kind: 'query', query: '{"status":"Active"}' }, 201],
  ['/segments', { name: 'static', kind: 'static' }, 201],
])('a body that POST %s accepts fits the document: %j', async (template, body, status) => {
  expect(fits(['POST', template], 'requestBody/content/application~1json/schema', body)).toBe(true);
  const answer = await admin.post(template, body);
  expect([answer.status, refusedKinds(answer)]).toEqual([status, []]);
});

interface WordList {
  type?: string;
  items?: { enum: string[] };
}

interface Parameter {
  name: string;
  schema: WordList & { anyOf?: WordList[] };
}

const operationOf = (template: string): { parameters: Parameter[] } => document.paths[`/api/v1${template}`].get;

/** The words of a list argument. For `select` these are the fields to answer, then those to leave out. */
function wordsOf(template: string, argument: string): string[][] {
  const { schema = {} }: Partial<Parameter> =
    operationOf(template).parameters.find(({ name }) => name === argument) ?? {};
  const lists = schema.anyOf ?? [schema];
  expect({ argument, types: lists.map(({ type }) => type) }).toEqual({ argument, types: lists.map(() => 'array') });
  return lists.map(({ items }) => items?.enum ?? []);
}

const lists = ['/members', '/accounts', '/activityhistories', '/offers', '/simulations', '/users', '/jobs'];

describe.each(lists)('the arguments of GET %s', (path) => {
  test.each(['select', 'populate', 'distinct', 'sort'])(
    '%s accepts each word that the document names',
    async (name) => {
      for (const word of share(wordsOf(path, name).flat(), 10)) {
        const { status, body } = await admin.get(`${path}?${name}=${encodeURIComponent(word)}`);
        expect({ word, status, message: body.message }).toEqual({ word, status: 200, message: undefined });
      }
    },
  );

  test('select accepts all words of a kind at once', async () => {
    for (const words of wordsOf(path, 'select')) {
      expect((await admin.get(`${path}?select=${words.join(',')}`)).status).toBe(200);
    }
  });

  test.each(['select', 'populate', 'distinct', 'sort'])('%s refuses other words', async (name) => {
    expect((await admin.get(`${path}?${name}=passwordHash`)).status).toBe(400);
    expect(wordsOf(path, name).flat()).not.toContain('passwordHash');
    expect((await admin.get(`${path}?${name}=`)).status).toBe(400);
  });

  test('query accepts the example of the document', async () => {
    const at = operationOf(path).parameters.findIndex(({ name }) => name === 'query');
    const { example } = document.paths[`/api/v1${path}`].get.parameters[at].content['application/json'];
    expect(Object.keys(example)).not.toEqual([]);
    expect((await admin.get(`${path}?query=${encodeURIComponent(JSON.stringify(example))}`)).status).toBe(200);
  });
});

test.each([
  [{ 'members.member': new ObjectId().toHexString() }, 404],
  [{ 'members.memberId': new ObjectId().toHexString() }, 404],
  [{ 'members.member': id, 'members.memberId': id }, 400],
  [{ 'members.member': { $exists: true } }, 400],
  [{}, 400],
])('POST /accounts/unlink with the query %j answers %d, as documented', async (query, status) => {
  const isFit = fits(['POST', '/accounts/unlink'], 'parameters/0/content/application~1json/schema', query);
  expect(isFit).toBe(status !== 400);
  const answer = await admin.post(`/accounts/unlink?query=${encodeURIComponent(JSON.stringify(query))}`);
  expect(answer.status).toBe(status);
});

test('POST /refreshcache accepts every entity that the document names, and no other', async () => {
  const { schema } = document.paths['/api/v1/refreshcache'].post.parameters[0];
  expect(schema.enum).toEqual(expect.arrayContaining(['Rule', 'Enum', 'ExtSchema']));
  for (const entity of schema.enum.filter((name: string) => name !== 'Rule')) {
    expect([entity, (await admin.post(`/refreshcache?entity=${entity}`)).status]).toEqual([entity, 200]);
  }
  expect((await admin.post('/refreshcache?entity=Nothing')).status).toBe(400);
});

test('a change without a body changes nothing, and the document asks for none', async () => {
  const { status, body } = await admin.send('PATCH', `/api/v1/products/${id}`);
  expect([status, body]).toEqual([200, (await admin.get(`/products/${id}`)).body]);
  expect(document.paths['/api/v1/products/{id}'].patch.requestBody.required).toBe(false);
  expect(document.paths['/api/v1/products'].post.requestBody.required).toBe(true);
});

test.each(['PUT', 'PATCH'])(
  '%s: null clears a field that may be absent, and no other, as documented',
  async (method) => {
    const place = ['requestBody/content/application~1json/schema', `/products/${id}`] as const;
    for (const [body, status] of [
      [{ brand: null, price: null, excludeFromEarning: null }, 200],
      [{ sku: null }, 422],
    ] as const) {
      expect(fits([method, '/products/{id}'], place[0], body)).toBe(status === 200);
      expect((await admin.send(method, `/api/v1${place[1]}`, { body })).status).toBe(status);
    }
  },
);

test('If-Match without a version is refused, as documented', async () => {
  const headers = { 'if-match': '' };
  expect(await admin.patch(`/products/${id}`, { name: 'Tea' }, { headers })).toBeRefused(400, 1210);
  const { parameters } = document.paths['/api/v1/products/{id}'].patch;
  const at = parameters.findIndex(({ name }: Parameter) => name === 'If-Match');
  const isFit = (value: string) => fits(['PATCH', '/products/{id}'], `parameters/${at}/schema`, value);
  expect(['', '*', '"v1"'].map(isFit)).toEqual([false, true, true]);
});
