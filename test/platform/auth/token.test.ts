import jwt from 'jsonwebtoken';
import { client } from '../../support/client';
import { openTestServer } from '../../support/server';

let server: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const ask = (token: string) => client(server.url, token).get('/myaccount');

/** Returns the claims of a valid token, so that each test can make one of them wrong. */
function claims(): jwt.JwtPayload {
  const payload = jwt.decode(server.services.users.admin.token);
  if (payload === null || typeof payload === 'string') throw new Error('not a token');
  return payload;
}

const sign = (
  payload: object,
  options: jwt.SignOptions = { algorithm: 'HS256' },
  key: jwt.Secret = server.services.tokenKey,
) => jwt.sign(payload, key, options);

test('the claims as signed by us are accepted', async () => {
  expect((await ask(sign(claims()))).status).toBe(200);
});

describe('a token is refused with 401 and code 1120 when', () => {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

  test.each<[string, () => string]>([
    ['its algorithm is none', () => `${encode({ alg: 'none', typ: 'JWT' })}.${encode(claims())}.`],
    ['its algorithm is another HMAC', () => sign(claims(), { algorithm: 'HS512' })],
    ['another key signed it', () => sign(claims(), { algorithm: 'HS256' }, 'another key of 32 bytes or more .......')],
    ['it has expired', () => sign({ ...claims(), exp: 1_000_000_000 })],
    ['it is for another audience', () => sign({ ...claims(), aud: 'other' })],
    ['it is for two audiences', () => sign({ ...claims(), aud: ['loyalty-api', 'other'] })],
    ['another issuer made it', () => sign({ ...claims(), iss: 'other' })],
    ['it does not expire', () => sign(without('exp'))],
    ['it has no session', () => sign(without('jti'))],
    ['it has no user', () => sign(without('sub'))],
    ['its session is an operator', () => sign({ ...without('jti'), jti: { $ne: null } })],
    ['it claims more than ours do', () => sign({ ...claims(), roles: ['ledger-admin'] })],
    ['its user is not the one of the session', () => sign({ ...claims(), sub: idOf('ledger-admin') })],
    ['its org is not the one of the user', () => sign({ ...claims(), org: 'a'.repeat(24) })],
    ['its session is unknown', () => sign({ ...claims(), jti: 'a'.repeat(24) })],
    ['its payload was changed', () => tampered()],
    ['it is very long', () => sign({ ...claims(), pad: 'x'.repeat(5000) })],
    ['it is no token', () => 'a.b.c'],
  ])('%s', async (_name, make) => {
    const { status, body, headers } = await ask(make());
    expect([status, body.code, headers.get('www-authenticate')]).toEqual([401, 1120, 'Bearer']);
  });

  function without(name: string): object {
    return Object.fromEntries(Object.entries(claims()).filter(([key]) => key !== name));
  }

  function idOf(role: 'ledger-admin'): string {
    return server.services.users[role].principal.userId.toHexString();
  }

  function tampered(): string {
    const [head, , signature] = server.services.users.reader.token.split('.');
    return `${head}.${encode({ ...claims() })}.${signature}`;
  }
});

describe('the Authorization header', () => {
  test.each([
    ['is refused when it is absent', undefined, 401],
    ['is refused with another scheme', (token: string) => `Basic ${token}`, 401],
    ['is refused with two tokens', (token: string) => `Bearer ${token} ${token}`, 401],
    ['is refused when it is empty', () => 'Bearer ', 401],
    ['is accepted in lower case', (token: string) => `bearer ${token}`, 200],
  ])('%s', async (_name, header, expected) => {
    const { token } = server.services.users.admin;
    const headers = header ? { authorization: header(token) } : {};
    expect((await server.anonymous.get('/myaccount', { headers })).status).toBe(expected);
  });
});

test('a token ends when its time is over by the clock of the service', async () => {
  const { clock, users } = server.services;
  const { body } = await server.anonymous.post('/login', {
    username: users.reader.username,
    password: 'correct horse battery',
  });
  expect((await ask(body.token)).status).toBe(200);
  clock.advance(3600_000);
  expect((await ask(body.token)).status).toBe(401);
});
