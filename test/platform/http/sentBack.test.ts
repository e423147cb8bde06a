import type { TSchema } from '@sinclair/typebox';
import type { Route } from '#platform/http/route';
import { allRoutes } from '#server/routes';
import type { Client, Response } from '../../support/client';
import { refusals } from '../../support/refusals';
import { absent, created, type Rich, type RichField, required } from '../../support/richRecords';
import { makeRich } from '../../support/richWorld';
import { handlerOf, type RouteCase } from '../../support/routeKinds';
import { ofEachKind } from '../../support/scale';
import type { World } from '../../support/world';

/** What a GET answered can be changed and sent back (docs/design/http.md): for every resource that has a PUT. */
let world: World;
let admin: Client;
let rich: ReadonlyMap<string, Rich>;
beforeAll(async () => {
  ({ world, rich } = await makeRich());
  admin = world.server.as('ledger-admin');
});
afterAll(() => world.close());

type Doc = Response['body'];

const updates = allRoutes.filter(({ method, path }) => method === 'PUT' && /^\/\w+\/:id$/.test(path));
const cases = updates.map((route): [string, Route] => [route.path.split('/')[1] ?? '', route]);

/** Updates of each kind, and others by the seed. */
const some = ofEachKind(
  updates.map((route): RouteCase => [route.path.split('/')[1] ?? '', route, route.path]),
  handlerOf,
);

const stamps = ['updatedAt', 'updatedBy', 'version'];
const methods = ['put', 'patch'] as const;
let turn = 0;

/** Sends a change a moment later, with PUT and PATCH in turn: they mean the same. */
async function change(place: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  world.services.clock.advance(1000);
  turn += 1;
  return admin[methods[turn % 2] ?? 'put'](place, body, { headers });
}

const without = (doc: Doc, names: readonly string[]) =>
  Object.fromEntries(Object.entries<unknown>(doc).filter(([name]) => !names.includes(name)));

function richOf(path: string): Rich {
  const found = rich.get(path);
  if (!found) throw new Error(`${path} has a PUT: give it a record in test/support/richRecords.ts`);
  return found;
}

const tagOf = ({ headers }: Response) => headers.get('etag') ?? '';

/** The value of a field without a value. */
function defaultOf(cleared: unknown, { createdAt }: Doc): unknown {
  if (cleared === absent) return undefined;
  return cleared === created ? createdAt : cleared;
}

/** The body that creates a rich record. */
function bodyOf({ fields, fixed = {}, secret = {} }: Rich): Record<string, unknown> {
  const values = Object.entries({ ...fields, ...secret }).map(([name, [value]]) => [name, value]);
  return { ...Object.fromEntries(values), ...fixed };
}

/** The rich record of a resource, made at the first call. */
const places = new Map<string, string>();
async function placeOf(path: string): Promise<string> {
  const known = places.get(path);
  if (known) return known;
  const { status, body } = await admin.post(`/${path}`, bodyOf(richOf(path)));
  expect([path, status, body.errors]).toEqual([path, 201, undefined]);
  places.set(path, `/${path}/${body._id}`);
  return `/${path}/${body._id}`;
}

/** The same value, written otherwise: ids in capitals, dates with an offset. */
function rewritten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewritten);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, each]) => [name, name === 'ext' ? each : rewritten(each)]),
    );
  }
  if (typeof value !== 'string') return value;
  if (/^[0-9a-f]{24}$/.test(value)) return value.toUpperCase();
  return value.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d\.\d{3})Z$/, '$1 $2');
}

function mutated(value: unknown): unknown {
  if (Array.isArray(value)) return [...value, 'more'];
  if (typeof value === 'object' && value !== null) return { ...value, more: 1 };
  if (typeof value === 'string') return `${value}0`;
  return typeof value === 'number' ? value + 1 : !value;
}

test.each(cases)('%s: every field that a client may change has a value in the rich record', (path, { body }) => {
  const { fields, secret = {}, elsewhere = [] } = richOf(path);
  const writable = Object.entries<TSchema>(body?.properties).filter(
    ([, each]) => !each['x-readOnly'] && !each['x-fixed'],
  );
  const names = [...Object.keys({ ...fields, ...secret }), ...elsewhere];
  expect(names.sort()).toEqual(writable.map(([name]) => name).sort());
});

test.each(some)('%s: a record sent back unchanged stays as it is, whatever form dates and ids have', async (path) => {
  const place = await placeOf(path);
  const before = await admin.get(place);
  for (const body of [{}, before.body, rewritten(before.body) as object]) {
    const answer = await change(place, body, { 'if-match': tagOf(before) });
    expect([answer.status, answer.body, tagOf(answer)]).toEqual([200, before.body, tagOf(before)]);
  }
  expect((await admin.get(place)).body).toEqual(before.body);
});

test.each(some)('%s: read-only fields are refused where they differ', async (path) => {
  const place = await placeOf(path);
  const { fields, elsewhere = [] } = richOf(path);
  const before = (await admin.get(place)).body;
  const locked = Object.keys(before).filter((name) => !(name in fields) && !elsewhere.includes(name));
  expect(locked).toEqual(expect.arrayContaining(['_id', 'org', 'createdAt', 'updatedAt', 'createdBy', 'updatedBy']));
  const faults = locked.map((name) => `${name} readOnly`);
  const all = Object.fromEntries(locked.map((name) => [name, mutated(before[name])]));
  const differing = await change(place, { ...before, ...all, colour: 'red' });
  expect(refusals(differing).sort()).toEqual([...faults, 'colour additionalProperties'].sort());
  const nulls = Object.fromEntries(locked.map((name) => [name, null]));
  expect(refusals(await change(place, { ...before, ...nulls })).sort()).toEqual(faults.sort());
  expect((await admin.get(place)).body).toEqual(before);
});

test.each(some)('%s: of a record sent back only the changed field changes', async (path) => {
  const place = await placeOf(path);
  const first = await admin.get(place);
  let last = first;
  for (const [name, [, other]] of Object.entries(richOf(path).fields)) {
    const changed = await change(place, { ...last.body, [name]: other }, { 'if-match': tagOf(last) });
    expect([name, changed.status, changed.body.errors]).toEqual([name, 200, undefined]);
    expect(changed.body).toMatchObject({ [name]: other });
    expect(without(changed.body, [name, ...stamps])).toEqual(without(last.body, [name, ...stamps]));
    last = changed;
  }
  expect((await admin.get(place)).body).toEqual(last.body);
  expect((await change(place, last.body, { 'if-match': tagOf(first) })).status).toBe(412);
});

test.each(some)('%s: null clears an optional field, and a required one is refused', async (path) => {
  const place = await placeOf(path);
  const { fields, secret = {} } = richOf(path);
  let last = (await admin.get(place)).body;
  for (const [name, [, , cleared]] of Object.entries({ ...fields, ...secret })) {
    const answer = await change(place, { ...last, [name]: null });
    if (cleared === required) {
      expect([name, answer.status, refusals(answer)]).toEqual([name, 422, [`${name} required`]]);
      continue;
    }
    expect([name, answer.status, answer.body.errors]).toEqual([name, 200, undefined]);
    expect([name, answer.body[name]]).toEqual([name, defaultOf(cleared, last)]);
    expect(without(answer.body, [name, ...stamps])).toEqual(without(last, [name, ...stamps]));
    last = answer.body;
  }
  expect((await admin.get(place)).body).toEqual(last);
});

/** Yields each field of a nested object that has a value, with the value without it and whether it is required. */
function* nestedFields(schema: TSchema, value: unknown): Generator<[name: string, isNeeded: boolean]> {
  if (schema.type !== 'object' || !schema.properties || typeof value !== 'object' || value === null) return;
  for (const [name, child] of Object.entries<TSchema>(schema.properties)) {
    if (!child['x-readOnly'] && name in value) yield [name, schema.required?.includes(name) ?? false];
  }
}

test.each(some)('%s: null within an object counts as absent', async (path, { body: schema }) => {
  const place = await placeOf(path);
  for (const [field, [value]] of Object.entries<RichField>(richOf(path).fields)) {
    for (const [name, isNeeded] of nestedFields(schema?.properties[field] ?? {}, value)) {
      const sent = await change(place, { [field]: { ...Object(value), [name]: null } });
      const left = await change(place, { [field]: without(value, [name]) });
      expect([field, name, sent.status]).toEqual([field, name, left.status]);
      if (isNeeded) expect(refusals(sent)).toContain(`${field}.${name} required`);
      else if (left.status === 200) expect(without(sent.body, stamps)).toEqual(without(left.body, stamps));
      else expect(refusals(sent)).toEqual(refusals(left));
    }
    await change(place, { [field]: value });
  }
});

/** Fields that every record has, and that the service makes when a creation does not have them. */
const made = ['members loyaltyID', 'accrualitems dtEarned', 'accrualitems dtEscrowsOn'];

test.each(some)('%s: null at creation counts as absent', async (path) => {
  const { fields, fixed = {}, secret = {} } = richOf(path);
  await admin.delete(await placeOf(path));
  places.delete(path);
  const isNeeded = (name: string) =>
    !made.includes(`${path} ${name}`) && (name in fixed || { ...fields, ...secret }[name]?.[2] === required);
  const values = { ...bodyOf(richOf(path)), _id: 1, updatedAt: 1 };
  const other = (name: string, value: unknown) => ({ ...fields, ...secret })[name]?.[1] ?? value;
  const nulls = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isNeeded(name) ? other(name, value) : null]),
  );
  const { status, body } = await admin.post(`/${path}`, nulls);
  expect([status, body.errors]).toEqual([201, undefined]);
  for (const [name, [, , cleared]] of Object.entries(fields)) {
    if (!isNeeded(name) && cleared !== required) expect([name, body[name]]).toEqual([name, defaultOf(cleared, body)]);
  }
  for (const name of Object.keys(values).filter((each) => isNeeded(each) && `${path} ${each}` !== 'namedlists model')) {
    const refused = await admin.post(`/${path}`, { ...nulls, [name]: null });
    expect([name, refusals(refused)]).toEqual([name, [`${name} required`]]);
  }
});
