import { client } from '../../support/client';
import { openTestServer, type TestServer } from '../../support/server';
import { type TestServices, testPassword } from '../../support/services';

let server: TestServer & { services: TestServices };
beforeAll(async () => {
  server = await openTestServer({ TOKEN_TTL: 3600 });
});
afterAll(() => server.close());

const hourMs = 3_600_000;

async function logIn() {
  const { username } = server.services.users.reader;
  const { body } = await server.anonymous.post('/login', { username, password: testPassword });
  return client(server.url, body.token);
}

const endOf = (token: string): number =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).exp * 1000;

test('a session that is renewed lasts TOKEN_TTL from then on, and 12 hours from the login at most', async () => {
  const { clock } = server.services;
  const begin = new Date('2026-03-01T08:00:00.000Z');
  clock.set(begin);
  let user = await logIn();
  const ends: number[] = [];
  for (let passed = 0.5; passed < 12; passed += 0.5) {
    clock.set(new Date(begin.getTime() + passed * hourMs));
    const { status, body } = await user.post('/myaccount/renew');
    expect(status).toBe(200);
    ends.push((endOf(body.token) - begin.getTime()) / hourMs);
    user = client(server.url, body.token);
  }
  const expected = Array.from({ length: 23 }, (_each, index) => Math.min((index + 1) / 2 + 1, 12));
  expect(ends).toEqual(expected);
  clock.set(new Date(begin.getTime() + 12 * hourMs));
  expect((await user.get('/myaccount')).status).toBe(401);
  expect((await user.post('/myaccount/renew')).status).toBe(401);
});

test('the earlier token stays valid until its end, and all tokens end with the session', async () => {
  const { clock } = server.services;
  clock.set('2026-03-02T08:00:00.000Z');
  const before = await logIn();
  clock.advance(hourMs / 2);
  const { body, headers } = await before.post('/myaccount/renew');
  expect(headers.get('cache-control')).toBe('no-store');
  const renewed = client(server.url, body.token);
  expect([(await before.get('/myaccount')).status, (await renewed.get('/myaccount')).status]).toEqual([200, 200]);
  await renewed.get('/myaccount/logout');
  expect([(await before.get('/myaccount')).status, (await renewed.get('/myaccount')).status]).toEqual([401, 401]);
  expect((await before.post('/myaccount/renew')).status).toBe(401);
});

test('a TOKEN_TTL of more than 12 hours is not shortened, and neither an API key nor a missing token renews a session', async () => {
  expect((await server.anonymous.post('/myaccount/renew')).status).toBe(401);
  const { reader } = server.services.users;
  const lasting = await server.as('reader').post('/myaccount/renew');
  expect(lasting.status).toBe(200);
  expect(endOf(lasting.body.token)).toBe(endOf(reader.token));
  const key = await server.as('admin').post('/apikeys', { name: 'till', roles: ['client'] });
  expect((await client(server.url, key.body.key).post('/myaccount/renew')).status).toBe(400);
});
