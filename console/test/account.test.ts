import { testPassword } from '../../test/support/services';
import { type ConsoleWorld, openConsoleWorld } from './support/consoleWorld';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsoleWorld();
});
afterAll(() => world.close());

test('a user changes their own password by giving the present one', async () => {
  const { page, faults, close } = await world.signedIn('reader', '/account');
  const change = async (current: string) => {
    await page.getByLabel('Current password').fill(current);
    await page.getByLabel('New password').fill('another long password');
    await page.getByRole('button', { name: 'Change the password' }).click();
  };
  await change('not the password');
  await page.getByText('The current password is wrong.').waitFor();
  await change(testPassword);
  await page.getByText('The password is changed.').waitFor();
  const logIn = (password: string) =>
    world.server.anonymous.post('/login', { username: world.usernameOf('reader'), password });
  expect((await logIn('another long password')).status).toBe(200);
  expect((await logIn(testPassword)).status).toBe(401);
  expect(faults).toEqual([]);
  await close();
});
