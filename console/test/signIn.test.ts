import { testPassword } from '../../test/support/services';
import { type ConsoleWorld, openConsoleWorld } from './support/consoleWorld';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsoleWorld();
});
afterAll(() => world.close());

test('who gives a wrong password reads why, and signs in with the right one', async () => {
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

test('who signs out is signed out at the service too', async () => {
  const { page, close } = await world.signedIn('reader');
  const token = await page.evaluate(() => JSON.parse(sessionStorage.getItem('loyalty-console-session') ?? '{}').token);
  await page.getByRole('button', { name: world.usernameOf('reader') }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await page.getByLabel('Username').waitFor();
  const headers = { authorization: `Bearer ${token}` };
  expect((await world.server.anonymous.get('/myaccount', { headers })).status).toBe(401);
  await close();
});
