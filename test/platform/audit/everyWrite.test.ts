import { isDeepStrictEqual } from 'node:util';
import { verifyAudit } from '#platform/audit/verifyAudit';
import { honoursKey, type Route } from '#platform/http/route';
import { allRoutes } from '#server/routes';
import { resources } from '#server/services/resources';
import type { Client, Response } from '../../support/client';
import { type Rich, required } from '../../support/richRecords';
import { makeRich } from '../../support/richWorld';
import type { World } from '../../support/world';

/** Every write of a definition, a user or an accrual item has one entry in the audit log (docs/design/audit.md). */
let world: World;
let admin: Client;
let rich: ReadonlyMap<string, Rich>;
beforeAll(async () => {
  ({ world, rich } = await makeRich());
  admin = world.server.as('ledger-admin');
});
afterAll(() => world.close());

type Doc = Response['body'];

const recorded = ['managed', 'catalog', 'user', 'ledger'];
const cases = allRoutes
  .filter(({ method, path }) => method === 'POST' && /^\/\w+$/.test(path))
  .map(({ path }) => path.slice(1))
  .filter((path) => recorded.includes(resources.find((resource) => resource.path === path)?.access ?? ''));

function postOf(path: string): Route {
  const route = allRoutes.find((each) => each.method === 'POST' && each.path === `/${path}`);
  if (!route) throw new Error(`${path} has no POST`);
  return route;
}

const entriesOf = async (path: string): Promise<Doc[]> =>
  (await admin.get(`/auditlog?resource=${path}&sort=seq&limit=1000`)).body;

/** What the log leaves out: extension fields of accrual items, and the computed fields of filters. */
const shown = (path: string, doc: Doc): Doc => {
  const { ext: _ext, ...rest } = doc;
  return path === 'accrualitems' ? rest : doc;
};

function requireShown(path: string, side: Doc, answered: Doc): void {
  const expected = shown(path, answered);
  expect(Object.keys(side).sort()).toEqual(Object.keys(expected).sort());
  expect(expected).toMatchObject(side);
}

test('the table has the resources that program managers and admins write', () => {
  expect(cases.length).toBeGreaterThan(14);
  expect(cases).toEqual(expect.arrayContaining(['programs', 'products', 'users', 'accrualitems']));
});

test.each(cases)(
  '%s: each successful write has one entry with the record before and after it, a failed one none',
  async (path) => {
    const { fields, fixed = {}, secret = {} } = rich.get(path) ?? { fields: {} };
    const values = Object.entries({ ...fields, ...secret }).map(([name, [value]]) => [name, value]);
    const body = { ...Object.fromEntries(values), ...fixed };
    const known = (await entriesOf(path)).length;
    const news = async () => (await entriesOf(path)).slice(known);

    expect((await admin.post(`/${path}`, { ...body, colour: 'red' })).status).toBe(422);
    const isKeyed = honoursKey(postOf(path));
    const keyed: Record<string, string> = isKeyed ? { 'idempotency-key': `audited-${path}` } : {};
    const created = await admin.post(`/${path}`, body, { headers: keyed });
    expect([created.status, created.body.errors]).toEqual([201, undefined]);
    if (isKeyed) expect((await admin.post(`/${path}`, body, { headers: keyed })).body).toEqual(created.body);
    const place = `/${path}/${created.body._id}`;
    const first = (await admin.get(place)).body;
    world.services.clock.advance(1000);

    const changed = Object.entries(fields).find(([, [, , cleared]]) => cleared !== required);
    const [name, [value, other]] = changed ?? ['', [0, 0]];
    expect((await admin.put(place, { [name]: other, colour: 'red' })).status).toBe(422);
    expect((await admin.put(place, { [name]: other }, { headers: { 'if-match': '"v999"' } })).status).toBe(412);
    expect((await admin.put(place, {})).status).toBe(200);
    expect((await admin.put(place, { [name]: other }, { headers: { 'x-request-id': 'the-change' } })).status).toBe(200);
    const second = (await admin.get(place)).body;
    expect((await admin.patch(place, { [name]: value, colour: 'red' })).status).toBe(422);
    expect((await admin.patch(place, { [name]: other })).status).toBe(200);
    const headers = { 'x-request-id': 'the-other-change' };
    expect((await admin.patch(place, { [name]: value }, { headers })).status).toBe(200);
    const third = (await admin.get(place)).body;
    expect((await world.server.as('reader').delete(place)).status).toBe(403);
    expect((await admin.delete(place)).status).toBe(204);
    if (path !== 'accrualitems') expect((await admin.delete(place)).status).toBe(404);

    const [create, update, again, remove, ...more] = await news();
    expect(more).toEqual([]);
    const { _id: user, username } = (await admin.get('/myaccount')).body;
    const by = { user, username, via: 'api', ip: '127.0.0.1', resource: path, id: created.body._id };
    expect(create).toMatchObject({
      ...by,
      action: 'create',
      at: first.createdAt,
      requestId: created.headers.get('x-request-id'),
    });
    expect(create.before).toBeUndefined();
    requireShown(path, create.after, first);
    const stamps = ['updatedAt', 'updatedBy', 'version'];
    const differing = Object.keys({ ...first, ...second }).filter(
      (each) => !stamps.includes(each) && !isDeepStrictEqual(first[each], second[each]),
    );
    expect(update).toMatchObject({ ...by, action: 'update', requestId: 'the-change' });
    if (path !== 'accrualitems') expect(update.changed).toEqual(differing.sort());
    requireShown(path, update.before, first);
    requireShown(path, update.after, second);
    expect(again).toMatchObject({ ...by, action: 'update', requestId: 'the-other-change' });
    requireShown(path, again.before, second);
    requireShown(path, again.after, third);
    expect(remove).toMatchObject({ ...by, action: 'delete' });
    requireShown(path, remove.before, third);
    if (path !== 'accrualitems') expect(remove.after).toBeUndefined();
    expect(JSON.stringify(await news())).not.toMatch(/argon2|password"|secret|"key"|lk_\w{24}_/);
  },
);

test('the audit chain is whole after all of these tests, and only admins read it', async () => {
  const { db, org } = world.services;
  const { fault, entries, head } = await verifyAudit(db, { org: org._id });
  expect([fault, entries]).toEqual([undefined, head?.seq]);
  for (const role of ['reader', 'client', 'program-manager'] as const) {
    expect((await world.server.as(role).get('/auditlog')).status).toBe(403);
  }
  const [last] = (await world.server.as('admin').get('/auditlog?sort=-seq&limit=1')).body;
  expect(last).toMatchObject({ seq: head?.seq, hash: head?.hash });
  for (const method of ['put', 'patch'] as const)
    expect((await admin[method](`/auditlog/${last._id}`, {})).status).toBe(405);
  expect((await admin.delete(`/auditlog/${last._id}`)).status).toBe(405);
  expect((await admin.post('/auditlog', {})).status).toBe(405);
});

test.each([
  ['user', (entry: Doc) => entry.user],
  ['resource', (entry: Doc) => entry.resource],
  ['id', (entry: Doc) => entry.id],
  ['action', (entry: Doc) => entry.action],
  ['at', (entry: Doc) => entry.at],
])('entries are found by %s', async (field, fieldOf) => {
  const all: Doc[] = (await admin.get('/auditlog?limit=1000&sort=seq')).body;
  const wanted = fieldOf(all[Math.floor(all.length / 2)]);
  const { body } = await admin.get(`/auditlog?${field}=${encodeURIComponent(wanted)}&limit=1000&sort=seq`);
  expect(body.length).toBeGreaterThan(0);
  expect(body).toEqual(all.filter((entry) => fieldOf(entry) === wanted));
});
