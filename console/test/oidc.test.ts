import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { oidcConfig, startProvider } from '../../test/access/users/oidc/providers';
import { type ConsoleWorld, openConsoleWorld } from './support/consoleWorld';

/** The address that is registered at the provider. The service gets another port, so this one sends browsers on. */
const registered = createServer(({ url = '' }, response) =>
  response.writeHead(302, { location: `${world.server.url}${url}` }).end(),
);
let provider: Awaited<ReturnType<typeof startProvider>>;
let world: ConsoleWorld;
beforeAll(async () => {
  registered.listen(0, '127.0.0.1');
  await once(registered, 'listening');
  const { port } = registered.address() as AddressInfo;
  const returnTo = `http://127.0.0.1:${port}/api/v1/login/oidc/callback`;
  provider = await startProvider(returnTo);
  world = await openConsoleWorld({ oidc: oidcConfig(provider.issuer, returnTo) });
});
afterAll(async () => {
  await world.close();
  await provider.stop();
  registered.close();
});

/** Opens a page of the console without a session, and signs in at the provider as `account`. */
async function signInAt(path: string, account: string) {
  const browsing = await world.anonymous();
  const { page, go } = browsing;
  await go(path);
  await page.getByRole('link', { name: 'Sign in with your company account' }).click();
  await page.getByLabel('Account').fill(account);
  await page.getByRole('button', { name: 'Go on' }).click();
  return browsing;
}

test('a user who signs in with the company account lands on the page that they opened', async () => {
  const filters = `?filter=${encodeURIComponent('{"name":"a café (*)"}')}`;
  const { page, close } = await signInAt(`/definitions/programs${filters}`, 'ada:managers');
  await page.getByRole('heading', { level: 1, name: 'Programs' }).waitFor();
  const { pathname, searchParams, hash } = new URL(page.url());
  expect([pathname, searchParams.get('filter'), hash]).toEqual([
    '/console/definitions/programs',
    '{"name":"a café (*)"}',
    '',
  ]);
  await close();
});

test('filters that are too long for the address of the provider do not prevent signing in', async () => {
  const { page, close } = await signInAt(`/definitions/programs?filter=${'x'.repeat(500)}`, 'ada:managers');
  await page.getByRole('heading', { level: 1, name: 'Programs' }).waitFor();
  expect(new URL(page.url()).search).toBe('');
  await close();
});

test('a user without a role reads the reason', async () => {
  const { page, close } = await signInAt('/', 'bob:strangers');
  await page.getByText('Your account has no role here.').waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/login');
  await close();
});
