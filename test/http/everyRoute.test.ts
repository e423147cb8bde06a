import { ObjectId } from 'bson';
import { permissionsOf, type Role, roleNames } from '../../src/auth/permissions';
import { newStamps } from '../../src/db/records';
import { pathsOf, type Route } from '../../src/http/route';
import { allRoutes } from '../../src/routes';
import { client } from '../support/client';
import { openTestServer } from '../support/server';
import { makeTestOrg } from '../support/services';

let server: Awaited<ReturnType<typeof openTestServer>>;
/** The admin of another org. */
let stranger: ReturnType<typeof client>;
/** A record of our org in every collection; no other org may tell that it is there. */
const id = new ObjectId();
beforeAll(async () => {
  server = await openTestServer();
  const { services } = server;
  const other = await makeTestOrg(services, 'other');
  stranger = client(server.url, other.users['ledger-admin'].token);
  const { admin } = services.users;
  const record = newStamps(admin.principal, services.clock.now(), id);
  for (const { path, indexes } of services.resources) {
    // Unique keys are filled, so that this bare record takes no place that a test needs.
    const unique = indexes.filter((index) => index.unique).flatMap(({ keys }) => Object.keys(keys));
    const filled = Object.fromEntries(
      unique.filter((key) => key !== 'org' && !key.includes('.')).map((key) => [key, id]),
    );
    await services.db.collection(path).insertOne({ ...filled, ...record });
  }
});
afterAll(() => server.close());

const guarded = allRoutes.filter(({ permission }) => permission !== 'open');
const cases = guarded.flatMap((route) =>
  pathsOf(route).map((path) => [`${route.method} ${path}`, route, path] as const),
);

const at = (path: string, value: ObjectId) => path.replace(/:\w+/g, value.toHexString());

async function ask(who: ReturnType<typeof client>, route: Route, path: string, value = new ObjectId()) {
  const body = route.body ? { body: {} } : {};
  return who.send(route.method, at(path, value), body);
}

test.each(cases)('%s needs a token', async (_name, route, path) => {
  const { status, body } = await ask(server.anonymous, route, path);
  expect([status, body.code]).toEqual([401, 1120]);
});

// Logging out would end the sessions that the other cases use.
const harmless = cases.filter(([, { path }]) => path !== '/myaccount/logout');

test.each(harmless)('%s is for those with its permission only', async (_name, route, path) => {
  for (const role of roleNames) {
    const { status, body } = await ask(server.as(role), route, path);
    const isForbidden = status === 403;
    expect({ role, isForbidden, code: isForbidden ? body.code : undefined }).toEqual(
      may(role, route) ? { role, isForbidden: false } : { role, isForbidden: true, code: 1130 },
    );
    expect(status).not.toBe(401);
    expect(status).toBeLessThan(500);
  }
});

function may(role: Role, { permission }: Route): boolean {
  return permission === 'any' || permissionsOf([role]).has(permission);
}

const withId = cases.filter(([, { path }]) => path.includes(':'));

test.each(withId)("%s does not tell another org's records from none", async (_name, route, path) => {
  const [theirs, none] = [await ask(stranger, route, path, id), await ask(stranger, route, path)];
  expect(theirs.status).toBe(none.status);
  expect(theirs.body.code).toBe(none.body.code);
  expect(strip(theirs.body, id)).toEqual(strip(none.body, id));
  expect(theirs.status).toBeGreaterThanOrEqual(400);
  if (route.method === 'GET' || route.method === 'DELETE') expect(theirs.status).toBe(404);
});

function strip({ code, message, errors }: Record<string, unknown>, value: ObjectId) {
  return JSON.stringify({ code, message, errors }).replaceAll(value.toHexString(), 'id');
}

const lists = cases.filter(
  ([, { path, method, openQuery }]) => method === 'GET' && openQuery && !path.endsWith('/count'),
);

test.each(lists)('%s lists nothing of another org', async (_name, _route, path) => {
  const query = encodeURIComponent(JSON.stringify({ _id: id.toHexString() }));
  const { status, body } = await stranger.send('GET', `${path}?query=${query}`);
  expect([status, body]).toEqual([200, []]);
});
