import { testPassword } from '../../test/support/services';
import { type ConsoleWorld, openConsoleWorld } from './support/consoleWorld';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsoleWorld();
});
afterAll(() => world.close());

/** Opens a form, signed in by the form, and types into it. */
async function typing() {
  const browsing = await world.anonymous();
  const { page } = browsing;
  await browsing.go('/definitions/partners/create');
  await page.getByLabel('Username').fill(world.usernameOf('program-manager'));
  await page.getByLabel('Password').fill(testPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Code').fill('typed');
  await page.getByLabel('Name').fill('Typed before');
  return browsing;
}

const stored = async () => (await world.server.as('admin').get('/partners?code=typed')).body;

test('a session that ends in the middle of a form loses nothing: the user signs in again and saves', async () => {
  const { page, faults, close } = await typing();
  const token = await page.evaluate(() => JSON.parse(sessionStorage.getItem('loyalty-console-session') ?? '{}').token);
  await world.server.anonymous.get('/myaccount/logout', { headers: { authorization: `Bearer ${token}` } });
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.getByLabel('Password').fill('wrong password');
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.getByText('The username or the password is wrong.').waitFor();
  expect(await stored()).toEqual([]);
  await dialog.getByLabel('Password').fill(testPassword);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Typed before' }).waitFor();
  expect(await stored()).toMatchObject([{ code: 'typed', name: 'Typed before' }]);
  expect(faults).toEqual([]);
  await world.server.as('admin').delete(`/partners/${(await stored())[0]._id}`);
  await close();
});

test('a connection that is lost in the middle of a form loses nothing: the page says so, and saves when it is back', async () => {
  const { page, close } = await typing();
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The service cannot be reached.').waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('Typed before');
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 1, name: 'Typed before' }).waitFor();
  expect(await stored()).toHaveLength(1);
  await close();
});

test('a user who leaves a form with changes must confirm it', async () => {
  const { page, close } = await world.signedIn('program-manager', '/definitions/partners/create');
  await page.getByLabel('Code').fill('x');
  const question = new Promise<string>((resolve) => {
    page.once('dialog', (dialog) => {
      resolve(dialog.message());
      void dialog.dismiss();
    });
  });
  await page.getByRole('menuitem', { name: 'Rules' }).click();
  expect(await question).toContain("weren't saved");
  expect(await page.getByLabel('Code').inputValue()).toBe('x');
  await close();
});
