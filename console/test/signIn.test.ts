import { testPassword } from '../../test/support/services';
import type { Browsing } from './support/browser';
import { type ConsoleWorld, openConsoleWorld } from './support/consoleWorld';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsoleWorld();
});
afterAll(() => world.close());

/** Notes to which addresses a page goes from now on. */
function watched(browsing: Browsing) {
  const gone: string[] = [];
  const { page } = browsing;
  page.on('framenavigated', () => gone.push(page.url()));
  return { ...browsing, addresses: () => gone };
}

test('a user with a wrong password reads the reason, and signs in with the right one', async () => {
  const { page, go, faults, close } = await world.anonymous();
  await go('/definitions');
  expect(await page.title()).toBe('Sign in · Loyalty console');
  await page.getByLabel('Username').fill(world.usernameOf('admin'));
  await page.getByLabel('Password').fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('The username or the password is wrong.').waitFor();
  await page.getByLabel('Password').fill(testPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  // The page that was asked for first.
  await page.getByRole('heading', { level: 1, name: 'Definitions' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/definitions');
  expect(faults).toEqual([]);
  await close();
});

test.each(['/definitions/partners/create', '/'])(
  'opening %s without a session leads to the sign-in page once',
  async (path) => {
    const { page, close, addresses } = watched(await world.anonymous());
    await page.goto(`${world.server.url}/console${path}`);
    await page.getByLabel('Username').waitFor();
    await page.waitForLoadState('networkidle');
    expect(addresses().filter((address) => address.endsWith('/console/login'))).toHaveLength(1);
    await close();
  },
);

test('a user who signs in lands on the page that they opened, with its filters', async () => {
  const { page, go, close } = await world.anonymous();
  const filters = `?filter=${encodeURIComponent('{"name":"Corner café (*)"}')}`;
  await go(`/definitions/partners${filters}`);
  await page.getByLabel('Username').fill(world.usernameOf('admin'));
  await page.getByLabel('Password').fill(testPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Partners' }).waitFor();
  const { pathname, searchParams } = new URL(page.url());
  expect([pathname, searchParams.get('filter')]).toEqual([
    '/console/definitions/partners',
    '{"name":"Corner café (*)"}',
  ]);
  await close();
});

test('signing out of the console ends the session at the service too', async () => {
  const { page, addresses, close } = watched(await world.signedIn('reader'));
  const token = await page.evaluate(() => JSON.parse(sessionStorage.getItem('loyalty-console-session') ?? '{}').token);
  await page.getByRole('button', { name: world.usernameOf('reader') }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await page.getByLabel('Username').waitFor();
  expect(addresses()).toEqual([`${world.server.url}/console/login`]);
  const headers = { authorization: `Bearer ${token}` };
  expect((await world.server.anonymous.get('/myaccount', { headers })).status).toBe(401);
  await close();
});
