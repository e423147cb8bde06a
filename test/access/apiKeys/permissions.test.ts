import { ObjectId } from 'bson';
import fc from 'fast-check';
import { type Route, routePaths } from '#platform/http/route';
import { allRoutes } from '#server/routes';
import { type Client, client } from '../../support/client';
import { scaled, share } from '../../support/scale';
import { openTestServer } from '../../support/server';
import { makeKey } from './makeKey';

/** What a key may do is what it was given, at every route; and nobody gives more than they have. */
let server: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const ledgerAdmin = () => server.as('ledger-admin');
const keyOf = (permissions: string[], maker: Client = ledgerAdmin()) => makeKey(server.url, maker, { permissions });

const guarded = allRoutes.filter(({ permission }) => permission.includes(':'));
const permissions = [...new Set(guarded.map(({ permission }) => permission))].sort();

/** Asks without the checks of the tests' client, which would read the document anew for each key. */
async function isForbidden(key: string, { method, body }: Route, path: string): Promise<boolean> {
  const at = path.replace(':version', '999').replace(/:\w+/g, new ObjectId().toHexString());
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await fetch(server.url + at, { method, headers, ...(body ? { body: '{}' } : {}) });
  const { code } = Object(JSON.parse((await answer.text()) || '{}'));
  expect([path, answer.status === 401 || answer.status >= 500]).toEqual([path, false]);
  return answer.status === 403 && code === 1130;
}

test('a key with one permission may use the routes of this permission and no other', async () => {
  for (const [turn, permission] of share([...permissions.entries()], 3)) {
    const { body } = await ledgerAdmin().post('/apikeys', { name: permission, permissions: [permission] });
    const mine = guarded.filter((each) => each.permission === permission);
    const others = guarded.filter((each) => each.permission !== permission);
    // Each route is an other one of several keys.
    const some = others.filter((_, n) => n % 29 === turn % 29);
    const requests = [...mine, ...some].flatMap((route) => routePaths(route).map((path) => ({ route, path })));
    const forbidden = await Promise.all(requests.map(({ route, path }) => isForbidden(body.key, route, path)));
    const expected = requests.map(({ route }) => route.permission !== permission);
    expect({ permission, forbidden }).toEqual({ permission, forbidden: expected });
  }
});

test.each(['reader', 'client', 'program-manager', 'admin', 'ledger-admin'] as const)(
  'a key with the role %s has the permissions of a user with the role',
  async (role) => {
    const { own } = await makeKey(server.url, ledgerAdmin(), { roles: [role] });
    const [key, user] = [await own.get('/myaccount'), await server.as(role).get('/myaccount')];
    expect(key.body.permissions).toEqual(user.body.permissions);
  },
);

describe('nobody grants permissions that they do not have:', () => {
  const managing = ['apikeys:create', 'apikeys:read', 'apikeys:update', 'apikeys:delete'];
  const some = fc.subarray(['members:read', 'programs:read', 'activity:post', 'users:create', 'accrualitems:write']);

  test('a key of any permissions grants no more at creation, change, rotation and deletion', async () => {
    await fc.assert(
      fc.asyncProperty(some, some, some, async (having, giving, then) => {
        const { own } = await keyOf([...managing, ...having]);
        const within = (input: string[]) => input.every((each) => having.includes(each));
        if (giving.length > 0) {
          const made = await own.post('/apikeys', { name: `made ${new ObjectId()}`, permissions: giving });
          expect([giving, having, made.status]).toEqual([giving, having, within(giving) ? 201 : 403]);
        }
        const { _id, key } = await keyOf([...giving, 'apikeys:read']);
        const changed = await own.put(`/apikeys/${_id}`, { permissions: then });
        const mayChange = within(giving) && within(then);
        expect([giving, then, changed.status]).toEqual([giving, then, mayChange ? 200 : 403]);
        const current = mayChange ? then : giving;
        const renamed = await own.put(`/apikeys/${_id}`, { rateLimit: 1000 });
        const rotated = await own.post(`/apikeys/${_id}/rotate`, { overlapSeconds: 600 });
        expect([renamed.status, rotated.status]).toEqual(within(current) ? [200, 200] : [403, 403]);
        expect((await client(server.url, key).get('/myaccount')).status).toBe(200);
        expect((await own.delete(`/apikeys/${_id}`)).status).toBe(within(current) ? 204 : 403);
      }),
      { numRuns: scaled(8) },
    );
  });

  test('an admin grants no permission of a ledger-admin, by role or by name, and changes no key that has one', async () => {
    const admin = server.as('admin');
    for (const fields of [{ roles: ['ledger-admin'] }, { permissions: ['accrualitems:write'] }]) {
      expect(await admin.post('/apikeys', { name: 'Strong', ...fields })).toBeRefused(403, 1130);
      const weak = await makeKey(server.url, admin);
      expect((await admin.put(`/apikeys/${weak._id}`, fields)).status).toBe(403);
      const strong = await makeKey(server.url, ledgerAdmin(), fields);
      expect((await admin.put(`/apikeys/${strong._id}`, { name: 'Weak' })).status).toBe(403);
      expect((await admin.put(`/apikeys/${strong._id}`, { permissions: [], roles: [] })).status).toBe(403);
      expect((await admin.post(`/apikeys/${strong._id}/rotate`, {})).status).toBe(403);
      expect((await admin.delete(`/apikeys/${strong._id}`)).status).toBe(403);
      expect((await strong.own.get('/myaccount')).status).toBe(200);
    }
  });

  test('a key cannot give itself more, nor make a user with more', async () => {
    const { own, _id } = await keyOf([
      'apikeys:update',
      'apikeys:create',
      'users:create',
      'users:update',
      'users:read',
    ]);
    expect((await own.put(`/apikeys/${_id}`, { roles: ['admin'] })).status).toBe(403);
    const user = { username: 'by-key', password: 'long enough', roles: ['reader'] };
    expect((await own.post('/users', user)).status).toBe(403);
    expect((await own.post('/users', { ...user, roles: [] })).status).toBe(201);
  });

  test('a key without permissions of keys and users manages neither', async () => {
    const { own, _id } = await makeKey(server.url, ledgerAdmin(), { roles: ['program-manager', 'client'] });
    const answers = [
      await own.get('/apikeys'),
      await own.get(`/apikeys/${_id}`),
      await own.post('/apikeys', { name: 'x', roles: ['reader'] }),
      await own.post(`/apikeys/${_id}/rotate`, {}),
      await own.delete(`/apikeys/${_id}`),
      await own.get('/users'),
      await own.post('/users', { username: 'y', password: 'long enough' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
  });
});
