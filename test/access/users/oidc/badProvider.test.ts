import { generateKeyPairSync } from 'node:crypto';
import { collectionOf } from '#base/db/collections';
import { derivedId } from '#base/db/records';
import { userResource } from '#records/users/user';
import { openTestServer } from '../../../support/server';
import { openBrowser } from './browser';
import { type Forged, oidcConfig, openForger } from './providers';

/** What a token of the provider must be, and what happens when the provider is away. */
let forger: Awaited<ReturnType<typeof openForger>>;
let server: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  forger = await openForger();
  server = await openTestServer({ ORG: 'test', oidc: oidcConfig(forger.issuer) });
});
afterAll(async () => {
  await server.close();
  await forger.close();
});

/** Signs in at a provider that answers so. */
async function signIn(forged: Forged) {
  const browser = openBrowser();
  const { location = '' } = await browser.get(`${server.url}/api/v1/login/oidc`);
  forger.forge(location, forged);
  const state = new URL(location).searchParams.get('state');
  return browser.get(`${server.url}/api/v1/login/oidc/callback?code=any&state=${state}`);
}

const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const seconds = () => Math.floor(Date.now() / 1000);

test('a valid token signs its user in', async () => {
  expect((await signIn({})).status).toBe(302);
});

test.each<[string, () => Forged]>([
  ['without a signature', () => ({ options: { algorithm: 'none' }, key: '' })],
  ['signed by the secret of the client', () => ({ options: { algorithm: 'HS256' }, key: 'a secret of the tests' })],
  ['signed by another key', () => ({ key: other })],
  ['signed by an unknown key', () => ({ options: { keyid: 'unknown' } })],
  ['with another nonce', () => ({ claims: { nonce: 'another' } })],
  ['without a nonce', () => ({ claims: { nonce: undefined } })],
  ['of another issuer', () => ({ claims: { iss: 'http://127.0.0.1:1' } })],
  ['for another audience', () => ({ claims: { aud: 'another' } })],
  ['for several, of which another asked', () => ({ claims: { aud: ['loyalty', 'another'], azp: 'another' } })],
  ['without an audience', () => ({ claims: { aud: undefined } })],
  ['that expired', () => ({ claims: { iat: seconds() - 100, exp: seconds() - 40 } })],
  ['without an end', () => ({ claims: { exp: undefined } })],
  ['that is not valid yet', () => ({ claims: { nbf: seconds() + 100 } })],
  ['without a subject', () => ({ claims: { sub: undefined } })],
  ['made in the year 2100', () => ({ claims: { iat: 4_102_444_800, exp: 4_102_444_860 } })],
  ['made a minute from now', () => ({ claims: { iat: seconds() + 60 } })],
  ...[{ id: 'eve' }, ['eve'], 42, true, '', ' ', '\u200b\n', 'x'.repeat(256), 'e\u0000ve'].map(
    (sub): [string, () => Forged] => [`of the subject ${JSON.stringify(sub)}`, () => ({ claims: { sub } })],
  ),
])('a token %s is refused', async (_what, forged) => {
  const before = await collectionOf(server.services.db, userResource).countDocuments();
  const { status, body } = await signIn(forged());
  expect([status, JSON.parse(body).code]).toEqual([401, 1110]);
  expect(await collectionOf(server.services.db, userResource).countDocuments()).toBe(before);
});

test('a clock that is off by less than 30 seconds does not matter', async () => {
  expect((await signIn({ claims: { iat: seconds() - 80, exp: seconds() - 15 } })).status).toBe(302);
  expect((await signIn({ claims: { iat: seconds() + 20, nbf: seconds() + 20 } })).status).toBe(302);
});

test('a subject of two issuers is two users, also with one name', async () => {
  const second = await openForger();
  const beside = await openTestServer({ ORG: 'test', oidc: oidcConfig(second.issuer) });
  const { location = '' } = await openBrowser().get(`${beside.url}/api/v1/login/oidc`);
  expect(location).toContain(second.issuer);
  await beside.close();
  await second.close();
  const org = server.services.org._id;
  const ids = [forger.issuer, second.issuer].map((issuer) => derivedId('oidc', org, issuer, 'eve').toHexString());
  expect(ids[0]).not.toBe(ids[1]);
  const user = await collectionOf(server.services.db, userResource).findOne({ subject: 'eve' });
  expect(user?._id.toHexString()).toBe(ids[0]);
});

test('a provider that fails is answered with 503', async () => {
  const { status, body } = await signIn({ status: 500 });
  expect([status, JSON.parse(body).code]).toEqual([503, 1310]);
});

describe('a provider that is away', () => {
  test('is answered with 503 at once, and is found again when it is back', async () => {
    const gone = await openForger();
    await gone.close();
    const away = await openTestServer({ ORG: 'test', oidc: oidcConfig(gone.issuer) });
    const { status, body, headers } = await away.anonymous.get('/login/oidc');
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 1310, '1']);
    await away.close();
  });

  test('while a browser signs in is answered with 503 too', async () => {
    const leaving = await openForger();
    const beside = await openTestServer({ ORG: 'test', oidc: oidcConfig(leaving.issuer) });
    const browser = openBrowser();
    const { location = '' } = await browser.get(`${beside.url}/api/v1/login/oidc`);
    await leaving.close();
    const state = new URL(location).searchParams.get('state');
    const { status } = await browser.get(`${beside.url}/api/v1/login/oidc/callback?code=any&state=${state}`);
    expect(status).toBe(503);
    await beside.close();
  });
});
