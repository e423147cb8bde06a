import { client } from '../support/client';
import { openTestServer, serveTest } from '../support/server';
import { openAlongside } from '../support/services';

let server: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  server = await openTestServer({ RATE_LIMIT: 5 });
});
afterAll(() => server.close());

test('a user has so many requests a minute over all processes, and others are not touched', async () => {
  const { services } = server;
  services.clock.set('2026-03-01T10:00:20.000Z');
  const beside = await openAlongside(services);
  const serving = await serveTest({ ...beside, org: services.org, users: services.users });
  const { token } = services.users.reader;
  const statuses = [];
  for (const url of [server.url, serving.url, server.url, serving.url, server.url]) {
    statuses.push((await client(url, token).get('/myaccount')).status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200]);
  const { status, body, headers } = await client(serving.url, token).get('/myaccount');
  expect([status, body.code]).toEqual([429, 1260]);
  const told = ['retry-after', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];
  expect(told.map((name) => headers.get(name))).toEqual(['40', '5', '0', '40']);
  expect((await server.as('admin').get('/myaccount')).status).toBe(200);
  services.clock.set('2026-03-01T10:01:00.000Z');
  expect((await server.as('reader').get('/myaccount')).status).toBe(200);
  await serving.close();
  await beside.close();
});

test('without Redis nobody is refused', async () => {
  server.services.redis.disconnect();
  for (let n = 0; n < 10; n += 1) expect((await server.as('client').get('/myaccount')).status).toBe(200);
});
