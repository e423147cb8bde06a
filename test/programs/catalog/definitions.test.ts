import { ObjectId } from 'bson';
import { resources } from '#server/services/resources';
import { type Client, client } from '../../support/client';
import { makeProgram } from '../../support/definitions';
import { refusals } from '../../support/refusals';
import { openTestServer } from '../../support/server';
import { makeTestOrg } from '../../support/services';

let server: Awaited<ReturnType<typeof openTestServer>>;
let manager: Client;
let stranger: Client;
let program: string;
let extSchema: string;

beforeAll(async () => {
  server = await openTestServer();
  const { services } = server;
  manager = server.as('program-manager');
  stranger = client(server.url, (await makeTestOrg(services, 'other')).users.admin.token);
  program = (await makeProgram(services.db, services.users.admin.principal))._id.toHexString();
  extSchema = (await manager.post('/extschemas', { model: 'Partner', name: 'of the table' })).body._id;
});
afterAll(() => server.close());

interface Definition {
  path: string;
  /** A body with every field; functions, because ids are known only when the server runs. */
  whole(): Record<string, unknown>;
  required: string[];
  /** The field whose value must be unique in the org. */
  unique?: string;
  /** The fields that the answer adds to a body of required fields. */
  defaults: object;
}

const effective = { from: '2026-01-01T00:00:00.000Z', to: '2027-01-01T00:00:00.000Z' };
const offer = () => ({
  code: 'SAVE10',
  name: 'Ten off',
  program,
  effective,
  stackGroup: 'summer',
  priority: 5,
  ext: { a: 1 },
  discount: { type: 'percent', value: 10, max: 500 },
  uses: { total: 100, perMember: 1 },
});

const definitions: Definition[] = [
  {
    path: 'locations',
    whole: () => ({
      number: 'S-1',
      name: 'Main Street',
      timezone: 'Europe/Paris',
      address: { city: 'Paris' },
      tags: ['city'],
      status: 'Closed',
      ext: { a: 1 },
    }),
    required: ['number', 'name'],
    unique: 'number',
    defaults: { status: 'Active' },
  },
  {
    path: 'products',
    whole: () => ({
      sku: 'A-1',
      name: 'Coffee',
      category: 'Drinks',
      subcategory: 'Hot',
      brand: 'Bean',
      price: 3.5,
      tags: ['new'],
      excludeFromEarning: true,
      ext: { a: 1 },
    }),
    required: ['sku', 'name'],
    unique: 'sku',
    defaults: { excludeFromEarning: false },
  },
  {
    path: 'partners',
    whole: () => ({ code: 'AIR', name: 'Airline', status: 'Inactive', ext: { a: 1 } }),
    required: ['code', 'name'],
    unique: 'code',
    defaults: { status: 'Active' },
  },
  { path: 'offers', whole: offer, required: ['code', 'name', 'program'], unique: 'code', defaults: {} },
  { path: 'rewards', whole: offer, required: ['code', 'name', 'program'], unique: 'code', defaults: {} },
  {
    path: 'namedlists',
    whole: () => ({ name: 'Drinks', model: 'Product', kind: 'query', query: { category: 'Drinks' }, ext: { a: 1 } }),
    required: ['name'],
    unique: 'name',
    defaults: { kind: 'static' },
  },
  {
    path: 'segments',
    whole: () => ({ name: 'Locals', kind: 'query', query: '{"locale":"fr-FR"}', ext: { a: 1 } }),
    required: ['name'],
    unique: 'name',
    defaults: { kind: 'static' },
  },
  {
    path: 'tierpolicies',
    whole: () => ({
      name: 'Status',
      program,
      downgrade: 'one',
      ext: { a: 1 },
      levels: [
        { name: 'Silver', number: 1, threshold: 100 },
        { name: 'Gold', number: 2, threshold: 500 },
      ],
      basis: { metric: 'pointsEarned', period: 'year' },
      expiry: { value: 1, unit: 'year' },
      grace: { value: 30, unit: 'day' },
    }),
    required: ['name', 'program'],
    unique: 'name',
    defaults: { levels: [], downgrade: 'none' },
  },
  {
    path: 'extschemas',
    whole: () => ({ model: 'Location', name: 'Store facts', ext: { a: 1 } }),
    required: ['model', 'name'],
    unique: 'name',
    defaults: {},
  },
  {
    path: 'extdefs',
    whole: () => ({
      extSchema,
      field: 'area',
      type: 'integer',
      required: false,
      min: 1,
      max: 9,
      pattern: '^a+$',
      enumType: 'Color',
      ext: { a: 1 },
    }),
    required: ['extSchema', 'field', 'type'],
    unique: 'field',
    defaults: { required: false },
  },
];

let named = 0;

/** The whole body with a new value in its unique field. */
function fresh({ whole, unique = 'name' }: Definition): Record<string, unknown> {
  named += 1;
  const body = whole();
  return { ...body, [unique]: `${String(body[unique]).replaceAll(' ', '_')}${named}` };
}

const bare = (definition: Definition) => {
  const body = fresh(definition);
  return Object.fromEntries(definition.required.map((name) => [name, body[name]]));
};

describe.each(definitions.map((definition) => [definition.path, definition] as const))('%s', (path, definition) => {
  const { required, unique = 'name', defaults } = definition;

  test('are created with all their fields, read, changed and deleted', async () => {
    const body = fresh(definition);
    const created = await manager.post(`/${path}`, body);
    expect(created).toMatchObject({ status: 201, body });
    const place = `/${path}/${created.body._id}`;

    expect(await manager.get(place)).toMatchObject({ status: 200, body: created.body });
    const changed = await manager.put(place, { ext: { b: 2 } });
    expect(changed).toMatchObject({ status: 200, body: { ...body, ext: { b: 2 } } });
    expect((await manager.patch(place, { ext: { c: 3 } })).body.ext).toEqual({ c: 3 });
    expect((await manager.get(`/${path}?_id=${created.body._id}&ext.c=3`)).body).toHaveLength(1);
    expect((await manager.get(`/${path}/count?_id=${created.body._id}`)).body).toEqual({ count: 1 });
    expect((await manager.delete(place)).status).toBe(204);
    expect((await manager.get(place)).status).toBe(404);
  });

  test('need their required fields only, and get defaults', async () => {
    const body = bare(definition);
    const { status, body: answered } = await manager.post(`/${path}`, body);
    expect(status).toBe(201);
    const { _id, org, createdAt, updatedAt, createdBy, updatedBy, ...own } = answered;
    expect(own).toEqual({ ...body, ...defaults });
    expect([_id, org, createdBy, updatedBy].every((id) => /^[0-9a-f]{24}$/.test(id))).toBe(true);
    expect(createdAt).toBe(updatedAt);

    const none = await manager.post(`/${path}`, {});
    expect(none.status).toBe(422);
    expect(refusals(none).sort()).toEqual(required.map((name) => `${name} required`).sort());
  });

  test(`have a ${unique} that is unique`, async () => {
    const body = bare(definition);
    const twin = { ...bare(definition), [unique]: body[unique] };
    const first = await manager.post(`/${path}`, body);

    const answers = await Promise.all([1, 2, 3].map(() => manager.post(`/${path}`, twin)));
    for (const answer of answers) expect(refusals(answer)).toEqual([`${unique} unique`]);
    await manager.delete(`/${path}/${first.body._id}`);
    expect((await manager.post(`/${path}`, twin)).status).toBe(201);
  });

  test('are written by program managers, read by readers, and hidden from other orgs', async () => {
    const { body } = await manager.post(`/${path}`, bare(definition));
    const place = `/${path}/${body._id}`;
    expect((await server.as('reader').get(place)).status).toBe(200);
    expect((await server.as('reader').put(place, { ext: {} })).status).toBe(403);
    expect((await server.as('client').post(`/${path}`, bare(definition))).status).toBe(403);
    expect((await stranger.get(place)).status).toBe(404);
    expect((await stranger.delete(place)).status).toBe(404);
  });

  test('refuse fields they do not have', async () => {
    const answer = await manager.post(`/${path}`, { ...bare(definition), colour: 'red', createdAt: 1 });
    expect(refusals(answer).sort()).toEqual(['colour additionalProperties', 'createdAt readOnly']);
  });
});

const withProgram = definitions.filter(({ required }) => required.includes('program'));

test.each(withProgram.map((definition) => [definition.path, definition] as const))(
  '%s belong to a program of their org, which then cannot be deleted',
  async (path, definition) => {
    const { services } = server;
    const foreign = await stranger.post('/programs', { code: `foreign-${path}`, name: 'Theirs' });
    const own = (await makeProgram(services.db, services.users.admin.principal))._id.toHexString();
    const gone = await manager.post(`/${path}`, { ...bare(definition), program: new ObjectId() });
    const other = await manager.post(`/${path}`, { ...bare(definition), program: foreign.body._id });
    for (const answer of [gone, other]) expect(refusals(answer)).toEqual(['program reference']);

    const { body } = await manager.post(`/${path}`, { ...bare(definition), program: own });
    expect(refusals(await manager.delete(`/programs/${own}`))).toEqual(['_id inUse']);
    const populated = await manager.get(`/${path}/${body._id}?populate=program`);
    expect(populated.body.program).toMatchObject({ _id: own, name: 'Program' });
    expect(refusals(await manager.put(`/${path}/${body._id}`, { program }))).toEqual(['program readOnly']);
  },
);

test.each([
  ['locations', { timezone: 'Mars/Olympus' }, ['timezone format']],
  ['locations', { status: 'Open' }, ['status enum']],
  ['locations', { number: '' }, ['number minLength']],
  ['products', { price: -1 }, ['price minimum']],
  ['products', { excludeFromEarning: 'yes' }, ['excludeFromEarning type']],
  ['partners', { status: 'Closed' }, ['status enum']],
])('%s refuse %j', async (path, fields, expected) => {
  const definition = definitions.find((each) => each.path === path);
  expect(definition).toBeDefined();
  if (!definition) return;
  const { body } = await manager.post(`/${path}`, bare(definition));
  expect(refusals(await manager.post(`/${path}`, { ...bare(definition), ...fields }))).toEqual(expected);
  expect(refusals(await manager.put(`/${path}/${body._id}`, fields))).toEqual(expected);
});

test.each(resources.filter(({ name }) => name !== 'Rule').map(({ name }) => [name]))(
  'refreshcache of %s answers success',
  async (name) => {
    const { status, body } = await manager.post(`/refreshcache?entity=${name}`);
    expect([status, body]).toEqual([200, { status: 'success' }]);
  },
);
