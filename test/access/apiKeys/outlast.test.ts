import { openTestServer } from '../../support/server';

/** docs/design/apikeys.md: what a key with the permissions to manage keys can do for itself and for others. */
let server: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const soon = '2026-12-01T00:00:00.000Z';
const later = '2027-12-01T00:00:00.000Z';
const permissions = ['apikeys:read', 'apikeys:create', 'apikeys:update', 'apikeys:delete'];
let count = 0;

/** Makes a key that may manage keys, and a client that sends it. */
async function keyWith(bounds: Record<string, unknown>) {
  server.services.clock.set('2026-11-26T12:00:00.000Z');
  count += 1;
  const { status, body } = await server.as('admin').post('/apikeys', { name: `Key ${count}`, permissions, ...bounds });
  expect(status).toBe(201);
  return { id: body._id, own: server.withToken(body.key) };
}

/** The bounds of a key that asks, and bounds beyond them. */
const beyond: readonly (readonly [Record<string, unknown>, Record<string, unknown>])[] = [
  [{ expiresAt: soon }, { expiresAt: null }],
  [{ expiresAt: soon }, { expiresAt: later }],
  [{ rateLimit: 60 }, { rateLimit: null }],
  [{ rateLimit: 60 }, { rateLimit: 61 }],
  [
    { expiresAt: soon, rateLimit: 60 },
    { expiresAt: soon, rateLimit: null },
  ],
];

test.each(beyond)('a key with %j may give %j to no key, not even to itself', async (bounds, wished) => {
  const { id, own } = await keyWith(bounds);
  const { id: other } = await keyWith(bounds);
  for (const target of [id, other]) {
    for (const change of ['put', 'patch'] as const) {
      expect(await own[change](`/apikeys/${target}`, wished)).toBeRefused(403, 1130);
    }
    expect((await server.as('admin').get(`/apikeys/${target}`)).body).toMatchObject(bounds);
  }
  count += 1;
  const made = await own.post('/apikeys', { name: `Key ${count}`, permissions: ['apikeys:read'], ...wished });
  expect(made).toBeRefused(403, 1130);
  expect((await server.as('admin').get(`/apikeys?name=Key ${count}`)).body).toEqual([]);
});

test('a key may give other keys its own bounds or narrower ones', async () => {
  const { id, own } = await keyWith({ expiresAt: soon, rateLimit: 60 });
  const fields = { name: 'Narrow', permissions: ['apikeys:read'], expiresAt: soon, rateLimit: 60 };
  const { status, body } = await own.post('/apikeys', fields);
  expect(status).toBe(201);
  expect((await own.put(`/apikeys/${body._id}`, { rateLimit: 10 })).status).toBe(200);
  expect((await own.put(`/apikeys/${id}`, { rateLimit: 59 })).status).toBe(200);
  expect((await own.put(`/apikeys/${id}`, { rateLimit: 60 })).status).toBe(403);
});

test('a key without bounds and a user may give any bounds', async () => {
  const { id, own } = await keyWith({});
  expect((await own.put(`/apikeys/${id}`, { expiresAt: later, rateLimit: 1000 })).status).toBe(200);
  expect((await server.as('admin').put(`/apikeys/${id}`, { expiresAt: null, rateLimit: null })).status).toBe(200);
});
