import { testPassword } from '../../test/support/services';
import { openPublishingWorld } from './support/consoleWorld';

let world: Awaited<ReturnType<typeof openPublishingWorld>>;
beforeAll(async () => {
  world = await openPublishingWorld({ isEmpty: true });
});
afterAll(() => world.close());

test('the console of an empty service leads from signing in to the first points, and explains them', async () => {
  const { page, go, faults, close } = await world.anonymous();
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const chosen = (name: string, value: string) =>
    page
      .getByRole('combobox', { name })
      .and(page.locator(`[value="${value}"]`))
      .waitFor();
  const next = (step: string, name: string) =>
    page
      .getByRole('alert')
      .filter({ hasText: `Step ${step}` })
      .getByRole('link', { name })
      .click();

  await go('/');
  await page.getByLabel('Username').fill(world.usernameOf('admin'));
  await page.getByLabel('Password').fill(testPassword);
  await button('Sign in').click();
  await page.getByRole('heading', { name: 'First points in five minutes' }).waitFor();

  await page.getByRole('link', { name: 'Make a program' }).click();
  await page.getByLabel('Code').fill('cafe');
  await page.getByLabel('Name').fill('Corner café');
  await button('Save').click();
  await heading('Corner café');

  // The only program is chosen already.
  await next('2 of 5', 'Make a purse policy');
  await heading('New: Purse policy');
  await chosen('Program', 'Corner café');
  await page.getByLabel('Name').fill('Beans');
  await button('Save').click();
  await heading('Beans');

  await next('3 of 5', 'Make a rule');
  await heading('New rule');
  await page.getByLabel('Name', { exact: false }).first().fill('Two beans a visit');
  await page.getByRole('button', { name: 'Empty rule', exact: false }).click();
  await button('Write the rule').click();
  await button('Add what they get').click();
  await page.getByRole('menuitem', { name: 'Give points' }).click();
  await button('1 Beans').click();
  await page.getByLabel('Number', { exact: true }).fill('2');
  await button('Done').click();
  await page.getByRole('region', { name: 'Checks' }).getByText('No faults', { exact: false }).waitFor();
  await button('Publish…').click();
  await button('Publish now').click();
  await page.getByText('Version 1 is in force').waitFor();
  await button('Done').click();

  await next('4 of 5', 'Make a member');
  await heading('New member');
  await chosen('Program', 'Corner café');
  await page.getByLabel('Loyalty id').fill('C-1');
  await page.getByLabel('First name').fill('Ada');
  await button('Save').click();
  await heading('Ada');

  await page.getByRole('link', { name: 'Post an activity' }).click();
  await page.getByLabel('Value').fill('4');
  await button('Post it').click();
  await page.getByText('The first points are there.').waitFor();
  await page.getByRole('link', { name: 'Two beans a visit' }).first().waitFor();
  await page.getByText('It fired for 2 points in Beans.').waitFor();

  await page.getByRole('link', { name: 'Go to the overview' }).click();
  const earned = page.locator('dl > div', { hasText: 'Points earned' }).locator('dd');
  await earned.getByText('2', { exact: true }).waitFor();
  expect(await page.getByRole('heading', { name: 'First points in five minutes' }).count()).toBe(0);
  const [member] = (await world.server.as('admin').get('/members?loyaltyID=C-1')).body;
  const purses = await world.server.as('admin').get(`/members/${member._id}/purses`);
  expect(purses.body).toMatchObject([{ name: 'Beans', balance: 2 }]);
  expect(faults).toEqual([]);
  await close();
});
