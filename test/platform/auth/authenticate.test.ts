import { createAuthenticate } from '#platform/auth/authenticate';
import { readToken, signToken, type TokenClaims } from '#platform/auth/token';
import { openTestServices, type TestServices } from '../../support/services';

let services: TestServices;
beforeAll(async () => {
  services = await openTestServices();
});
afterAll(() => services.close());

test('requests that wait together each get their own user', async () => {
  const authenticate = createAuthenticate(services);
  const { admin, reader } = services.users;
  const tokens = [admin, reader, admin].map(({ token }) => `Bearer ${token}`);
  const principals = await Promise.all(tokens.map(authenticate));
  expect(principals.map(({ username }) => username)).toEqual(['admin@test', 'reader@test', 'admin@test']);
});

test.each<[string, (admin: TokenClaims, reader: TokenClaims) => TokenClaims]>([
  ["another user's session", (admin, reader) => ({ ...reader, userId: admin.userId })],
  ['another org', (admin) => ({ ...admin, org: admin.userId })],
  ['a user for a session', (admin) => ({ ...admin, sessionId: admin.userId })],
  ['a session for a user', (admin) => ({ ...admin, userId: admin.sessionId })],
  ['an org for a user', (admin) => ({ ...admin, userId: admin.org })],
])('a token that names %s is refused, and tokens that wait with it are accepted', async (_what, mix) => {
  const authenticate = createAuthenticate(services);
  const { clock, tokenKey, users } = services;
  const now = clock.now();
  const [admin, reader] = [users.admin, users.reader].map(({ token }) => readToken(tokenKey, token, now));
  if (!admin || !reader) throw new RangeError('two tokens were read');
  const mixed = signToken(tokenKey, mix(admin, reader), now, admin.expiresAt);
  const waiting = [users.admin.token, mixed, users.reader.token].map((token) => authenticate(`Bearer ${token}`));
  const answers = await Promise.allSettled(waiting);
  expect(answers).toMatchObject([
    { status: 'fulfilled', value: { username: 'admin@test' } },
    { status: 'rejected', reason: { code: 1120 } },
    { status: 'fulfilled', value: { username: 'reader@test' } },
  ]);
});
