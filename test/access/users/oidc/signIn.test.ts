import { ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import { auditResource } from '#records/users/auditEntry';
import { signInCodeResource } from '#records/users/signInCode';
import { userResource } from '#records/users/user';
import { client } from '../../../support/client';
import { openTestServer } from '../../../support/server';
import { type Browser, openBrowser } from './browser';
import { oidcConfig, redirectUri, startProvider } from './providers';

/** Signing in at a real provider, as docs/design/oidc.md says. */
let provider: Awaited<ReturnType<typeof startProvider>>;
let server: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  provider = await startProvider();
  server = await openTestServer({ ORG: 'test', oidc: oidcConfig(provider.issuer) });
});
afterAll(async () => {
  await server.close();
  await provider.stop();
});

const begin = '/api/v1/login/oidc';

/** Begins a sign-in as `who` (`<subject>:<role>,<role>`) and returns the address to which the provider sends the browser. */
async function returnAddress(browser: Browser, who: string, query = ''): Promise<string> {
  const { location, status } = await browser.get(`${server.url}${begin}${query}`);
  expect(status).toBe(302);
  const requested = new URL(location ?? '');
  requested.searchParams.set('login_hint', who);
  const returned = await browser.follow(requested.href, redirectUri);
  return returned.replace(new URL(redirectUri).origin, server.url);
}

async function signIn(who: string, query?: string) {
  const browser = openBrowser();
  const answer = await browser.get(await returnAddress(browser, who, query));
  const fragment = new URLSearchParams(new URL(answer.location ?? 'http://none').hash.slice(1));
  return { ...answer, code: fragment.get('code') ?? '', returnTo: fragment.get('returnTo') };
}

async function tokenFor(who: string): Promise<string> {
  const { code } = await signIn(who);
  const { status, body } = await server.anonymous.post('/login/oidc/token', { code });
  expect([status, body.code]).toEqual([200, undefined]);
  return body.token;
}

const account = async (token: string) => (await client(server.url, token).get('/myaccount')).body;
const userOf = (subject: string) => collectionOf(server.services.db, userResource).findOne({ subject });

test('the first sign-in makes the user with the roles of the claims, and answers a token', async () => {
  const token = await tokenFor('ada:managers,strangers');
  const { username, permissions, _id } = await account(token);
  expect(username).toBe(`oidc@${_id}:ada`);
  const manager = await server.as('program-manager').get('/myaccount');
  expect(permissions).toEqual(manager.body.permissions);
  const user = await userOf('ada');
  expect(user).toMatchObject({ kind: 'oidc', issuer: provider.issuer, roles: ['program-manager'], isActive: true });
  expect(user?.passwordHash).toBeUndefined();
  const audited = await collectionOf(server.services.db, auditResource)
    .find({ resource: 'users', id: String(_id) })
    .toArray();
  expect(audited).toMatchObject([
    { action: 'create', username, via: 'api', ip: '127.0.0.1', after: { roles: user?.roles } },
  ]);
});

test('each sign-in renews the roles, for the sessions that are open too', async () => {
  const first = await tokenFor('bob:managers');
  const { _id } = await account(first);
  const second = await tokenFor('bob:bosses');
  expect((await account(second))._id).toBe(_id);
  expect((await account(first)).permissions).toContain('users:create');
  await tokenFor('bob:tills');
  expect((await account(first)).permissions).not.toContain('users:create');
  expect((await userOf('bob'))?.roles).toEqual(['client']);
  const audited = await server.as('admin').get(`/auditlog?resource=users&id=${_id}&sort=seq`);
  expect(audited.body.map(({ changed }: { changed?: string[] }) => changed)).toEqual([undefined, ['roles'], ['roles']]);
});

test('a sign-in without a role is 403: no user is made, and an existing one loses roles and sessions', async () => {
  const { status, body } = await signIn('eve:strangers');
  expect([status, JSON.parse(body).code]).toEqual([403, 1130]);
  expect(await userOf('eve')).toBeNull();
  const token = await tokenFor('cid:managers');
  expect((await signIn('cid:')).status).toBe(403);
  expect((await userOf('cid'))?.roles).toEqual([]);
  expect((await client(server.url, token).get('/myaccount')).status).toBe(401);
});

test('a sign-in is 403 for a user whom an admin deactivated here', async () => {
  await tokenFor('dan:managers');
  const user = await userOf('dan');
  const { status } = await server.as('admin').put(`/users/${user?._id}`, { isActive: false });
  expect(status).toBe(200);
  expect((await signIn('dan:managers')).status).toBe(403);
});

test('a new user who signs in several times at once is made once', async () => {
  const tokens = await Promise.all(Array.from({ length: 4 }, () => tokenFor('fay:managers')));
  const ids = await Promise.all(tokens.map(async (token) => (await account(token))._id));
  expect(new Set(ids).size).toBe(1);
});

describe('a user of OIDC', () => {
  test('has no password, and cannot get one or log in with one', async () => {
    const token = await tokenFor('gil:bosses');
    const user = await userOf('gil');
    const { username = '', _id } = user ?? {};
    const password = 'a password for him';
    const set = await server.as('ledger-admin').put(`/users/${_id}`, { password });
    expect([set.status, set.body.errors[0]]).toMatchObject([422, { path: 'password', kind: 'readOnly' }]);
    const own = await client(server.url, token).post('/users/me/password', {
      currentPassword: password,
      newPassword: password,
    });
    expect(own).toBeRefused(400, 1210);
    // Not even with a hash that came from elsewhere.
    const hashed = await collectionOf(server.services.db, userResource).findOne({ username: 'admin@test' });
    await collectionOf(server.services.db, userResource).updateOne(
      { _id: user?._id ?? new ObjectId() },
      { $set: { passwordHash: hashed?.passwordHash ?? '' } },
    );
    const login = await server.anonymous.post('/login', { username, password: 'correct horse battery' });
    expect(login).toBeRefused(401, 1110);
  });

  test('gets name and roles from the provider only', async () => {
    await tokenFor('hal:tills');
    const user = await userOf('hal');
    for (const fields of [{ roles: ['admin'] }, { username: 'hal' }]) {
      const { status, body } = await server.as('ledger-admin').put(`/users/${user?._id}`, fields);
      expect([status, body.errors[0].kind]).toEqual([422, 'readOnly']);
    }
  });

  test('stays apart from other users with the same name or subject', async () => {
    await server.as('admin').post('/users', { username: 'ivy', password: 'long enough', roles: ['reader'] });
    const { _id } = await account(await tokenFor('ivy:managers'));
    const named = await collectionOf(server.services.db, userResource).findOne({ username: 'ivy' });
    expect(named?._id.toHexString()).not.toBe(_id);
    const taken = await server.as('admin').post('/users', { username: 'oidc@x', password: 'long enough' });
    expect([taken.status, taken.body.errors[0]]).toMatchObject([422, { path: 'username', kind: 'pattern' }]);
  });
});

describe('the code', () => {
  test('works once, also for several requests at once, and is stored as a hash', async () => {
    const { code } = await signIn('joe:managers');
    const stored = await collectionOf(server.services.db, signInCodeResource).find().toArray();
    expect(JSON.stringify(stored)).not.toContain(code);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => server.anonymous.post('/login/oidc/token', { code })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
  });

  test('is valid for 60 seconds', async () => {
    const { code } = await signIn('kim:managers');
    server.services.clock.advance(60_000);
    expect((await server.anonymous.post('/login/oidc/token', { code })).status).toBe(401);
  });

  test.each(['', 'x', 'a'.repeat(43), { $ne: '' }, null])('is refused when it is %j', async (code) => {
    const { status } = await server.anonymous.post('/login/oidc/token', { code });
    expect(status).toBe(code === 'a'.repeat(43) ? 401 : 422);
  });
});

describe('the browser', () => {
  test('gets PKCE, state and nonce of its own, and a cookie that scripts do not see', async () => {
    const [one, two] = [await openBrowser().get(server.url + begin), await openBrowser().get(server.url + begin)];
    const requests = [one, two].map(({ location = '' }) => new URL(location).searchParams);
    for (const each of requests) {
      expect(each.get('code_challenge_method')).toBe('S256');
      expect(each.get('redirect_uri')).toBe(redirectUri);
      expect(each.get('response_type')).toBe('code');
    }
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(requests[0]?.get(name)).toMatch(/^[\w-]{43}$/);
      expect(requests[0]?.get(name)).not.toBe(requests[1]?.get(name));
    }
    expect(one.setCookie[0]).toMatch(
      /^oidc_flow=[\w-]+; Path=\/api\/v1\/login\/oidc; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
  });

  test('cannot end a sign-in that another browser began', async () => {
    const address = await returnAddress(openBrowser(), 'lea:managers');
    const other = openBrowser();
    expect((await other.get(address)).status).toBe(401);
    await other.get(server.url + begin);
    expect((await other.get(address)).status).toBe(401);
    expect(await userOf('lea')).toBeNull();
  });

  test('cannot end a sign-in twice, with another state or code, or after ten minutes', async () => {
    const browser = openBrowser();
    const address = await returnAddress(browser, 'max:managers');
    for (const [name, value] of [
      ['state', 'x'.repeat(43)],
      ['code', 'forged'],
      ['state', ''],
      ['iss', 'http://evil'],
    ]) {
      const forged = new URL(address);
      forged.searchParams.set(name ?? '', value ?? '');
      expect([name, (await openCopy(browser, forged.href)).status]).toEqual([name, 401]);
    }
    const late = openBrowser();
    const lateAddress = await returnAddress(late, 'max:managers');
    server.services.clock.advance(600_001);
    expect((await late.get(lateAddress)).status).toBe(401);
    const again = openBrowser();
    const good = await returnAddress(again, 'max:managers');
    expect((await again.get(good)).status).toBe(302);
    expect((await again.get(good)).status).toBe(401);
  });

  test.each([
    ['', '/console/'],
    ['?returnTo=/console/members/6b05586c?tab=1%26x=2', '/console/members/6b05586c?tab=1&x=2'],
  ])('returns with %j to %s', async (query, place) => {
    const { location, returnTo } = await signIn('nia:managers', query);
    expect(returnTo).toBe(place);
    expect(location).toMatch(`${server.url}/console/login#code=`);
  });

  test.each([
    'https://evil.example',
    '//evil.example/console/',
    '/console/../api',
    '/console//evil.example',
    '/consolex',
    '/console/\\evil',
    '/console/#x',
    'javascript:alert(1)',
    `/console/${'a'.repeat(500)}`,
  ])('is not led to another site by returnTo=%s', async (returnTo) => {
    const { status } = await server.anonymous.get(`/login/oidc?returnTo=${encodeURIComponent(returnTo)}`);
    expect(status).toBe(400);
  });
});

/** Asks with the cookies of a browser, which keeps them as they are. */
async function openCopy(browser: Browser, url: string) {
  const answer = await browser.get(url);
  expect(answer.setCookie).toEqual([]);
  return answer;
}

test('a service without a provider answers 404, and loads nothing for it', async () => {
  const plain = await openTestServer();
  const answers = [await plain.anonymous.get('/login/oidc'), await plain.anonymous.get('/login/oidc/callback?code=1')];
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
    [404, 1500],
    [404, 1500],
  ]);
  await plain.close();
});
