import type { Page } from 'playwright-core';
import { definitionNames } from '../src/definitions/definitionNames';
import { leadTo } from './support/addresses';
import { type ConsoleWorld, openConsoleWorld } from './support/consoleWorld';
import { memberWithPurchase } from './support/memberWithPurchase';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsoleWorld();
});
afterAll(() => world.close());

const adds = (page: Page) => page.locator('main').getByRole('button', { name: /^Add(?! filter)/ });

test("every Add button of a definition's form adds inputs, and what is typed into them is stored", async () => {
  const { page, faults, close } = await world.signedIn('admin', '/account');
  const counted: Record<string, number> = {};
  for (const name of definitionNames) {
    await leadTo(page, `/definitions/${name}/create`);
    await page.getByRole('button', { name: 'Save' }).waitFor();
    const inputs = page.locator('main form input');
    const buttons = await adds(page).all();
    for (const button of buttons) {
      const before = await inputs.count();
      await button.click();
      await inputs.nth(before).waitFor();
    }
    if (buttons.length > 0) counted[name] = buttons.length;
  }
  expect(counted).toEqual({ tierpolicies: 1 });

  await leadTo(page, '/definitions/tierpolicies/create');
  await page.getByLabel('Name').first().fill('Ranks');
  for (const [name, threshold] of [
    ['Copper', 10],
    ['Silver', 200],
  ] as const) {
    await adds(page).click();
    const level = page.locator('main form li').last();
    await level.getByLabel('Name').fill(name);
    await level.getByLabel('Number').fill(String(threshold / 10));
    await level.getByLabel('Threshold').fill(String(threshold));
  }
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 1, name: 'Ranks' }).waitFor();
  const [made] = (await world.server.as('admin').get('/tierpolicies?name=Ranks')).body;
  expect(made.levels).toMatchObject([
    { name: 'Copper', number: 1, threshold: 10 },
    { name: 'Silver', number: 20, threshold: 200 },
  ]);

  await adds(page).click();
  const level = page.locator('main form li').last();
  await level.getByLabel('Name').fill('Gold');
  await level.getByLabel('Number').fill('30');
  await level.getByLabel('Threshold').fill('3000');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Element updated').waitFor();
  const { body: changed } = await world.server.as('admin').get(`/tierpolicies/${made._id}`);
  expect(changed.levels.map((each: { name: string }) => each.name)).toEqual(['Copper', 'Silver', 'Gold']);
  expect(faults).toEqual([]);
  await close();
});

test('the button "Add a line" of a purchase adds one line each time', async () => {
  const { member } = await memberWithPurchase(world, 'L-LINES', 'Ada');
  const { page, close } = await world.signedIn('admin', `/members/${member._id}/post`);
  const lines = page.getByRole('group', { name: /^Line item \d/ });
  await adds(page).waitFor();
  const before = await lines.count();
  await adds(page).click();
  await adds(page).click();
  await lines.nth(before + 1).waitFor();
  expect(await lines.count()).toBe(before + 2);
  await close();
});
