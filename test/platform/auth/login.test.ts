import { client } from '../../support/client';
import { openTestServer } from '../../support/server';
import { makeTestUser, testPassword } from '../../support/services';

let server: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const logIn = (body: unknown) => server.anonymous.post('/login', body);

const form = (raw: string) =>
  server.anonymous.post('/login', undefined, { raw, headers: { 'content-type': 'application/x-www-form-urlencoded' } });

describe('logging in', () => {
  test('answers a token, the version and the build', async () => {
    const { status, body, headers } = await logIn({ username: 'reader@test', password: testPassword });
    expect(status).toBe(200);
    expect(body).toEqual({ token: expect.any(String), version: expect.any(String), build: expect.any(String) });
    expect(headers.get('cache-control')).toBe('no-store');
    expect((await client(server.url, body.token).get('/myaccount')).body.username).toBe('reader@test');
  });

  test('accepts a form as well', async () => {
    const { status, body } = await form(`username=reader%40test&password=${encodeURIComponent(testPassword)}`);
    expect([status, typeof body.token]).toEqual([200, 'string']);
  });

  test.each([
    ['an unknown user', { username: 'nobody', password: testPassword }],
    ['a wrong password', { username: 'client@test', password: 'wrong' }],
    ['the system user', { username: 'system@test', password: 'wrong' }],
  ])('of %s answers 401 with code 1110', async (_name, credentials) => {
    const { status, body } = await logIn(credentials);
    expect({ status, ...body }).toMatchObject({
      status: 401,
      code: 1110,
      message: 'Username or password is incorrect',
      requestId: expect.any(String),
    });
  });

  test('of an inactive user answers like a wrong password', async () => {
    const { services } = server;
    const user = await makeTestUser(services, services.org, 'inactive', ['reader']);
    await server.as('admin').patch(`/users/${user.principal.userId.toHexString()}`, { isActive: false });
    expect(await logIn({ username: 'inactive', password: testPassword })).toBeRefused(401, 1110);
  });

  test.each([
    ['an operator as password', { username: 'admin@test', password: { $ne: '' } }, 'password'],
    ['a list as username', { username: ['admin@test'], password: 'x' }, 'username'],
    ['a missing password', { username: 'admin@test' }, 'password'],
    ['another field', { username: 'a', password: 'b', org: 'c' }, 'org'],
  ])('with %s answers 422', async (_name, body, path) => {
    const answer = await logIn(body);
    expect(answer).toBeRefused(422, 1200);
    expect(answer.body.errors[0].path).toBe(path);
  });

  test('of JSON sent as a form answers 415 without the password', async () => {
    const { status, body } = await form(`{"username":"admin@test","password":"${testPassword}"}`);
    expect(status).toBe(415);
    expect(JSON.stringify(body)).not.toContain(testPassword);
  });

  test('with an operator in a form answers 422', async () => {
    expect((await form('username=admin%40test&password[$ne]=x')).status).toBe(422);
  });
});

test('an unknown user takes as long as a wrong password', async () => {
  const timed = async (username: string) => {
    const startedAt = performance.now();
    await logIn({ username, password: 'a wrong password' });
    return performance.now() - startedAt;
  };
  await timed('warm-up');
  const [unknown, known]: [number[], number[]] = [[], []];
  for (let n = 0; n < 6; n += 1) {
    unknown.push(await timed('nobody at all'));
    known.push(await timed('program-manager@test'));
  }
  // Compares the fastest of each, because other work of the machine only makes answers slower. If unknown users were
  // answered without hashing, the ratio would be about 0.1.
  const ratio = Math.min(...unknown) / Math.min(...known);
  expect(ratio).toBeGreaterThan(0.4);
  expect(ratio).toBeLessThan(2.5);
});
