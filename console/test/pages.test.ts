import { fine } from './support/browser';
import { type ConsoleWorld, openConsoleWorld } from './support/consoleWorld';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsoleWorld();
});
afterAll(() => world.close());

/** The id of the first record of a list. */
const idOf = async (list: string) => (await world.server.as('admin').get(list)).body[0]._id;

/** Every page that the menu leads to, with its heading. */
const pages = [
  ['/', 'Overview'],
  ['/members', 'Members'],
  ['/rules', 'Rules'],
  ['/definitions', 'Definitions'],
  ['/operations', 'Operations'],
  ['/audit', 'Audit'],
] as const;

/** Other pages, by their addresses. */
const more = [
  ['/definitions/programs', 'Programs'],
  ['/operations/runs', 'Runs'],
  ['/operations/deliveries', 'Deliveries'],
  ['/operations/files', 'Imports and exports'],
  ['/account', 'Your password'],
  ['/nowhere', 'There is no such page'],
] as const;

test('every page of the menu opens with one heading and a title', async () => {
  const { page, faults, close } = await world.signedIn('admin');
  const menu = page.getByRole('navigation');
  for (const [path, name] of pages) {
    await menu.getByRole('menuitem', { name }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console${path}`);
    expect(await page.title()).toBe(`${name} · Loyalty console`);
    expect(await page.locator('h1').count()).toBe(1);
  }
  expect(faults).toEqual([]);
  await close();
});

test('every page sends at most six requests before its heading, is accessible in both themes and fits a narrow window', async () => {
  const { page, look, faults, close } = await world.signedIn('admin');
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector('h1')) return;
      performance.mark('heading');
      observer.disconnect();
    });
    observer.observe(document, { childList: true, subtree: true });
  });
  for (const [path, name] of [...pages, ...more]) {
    await page.goto(`${world.server.url}/console${path}`);
    await page.getByRole('heading', { level: 1, name }).waitFor();
    const requests = await page.evaluate(() => {
      const [heading] = performance.getEntriesByName('heading');
      const begun = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/v1/'));
      return begun.filter(({ startTime }) => startTime < (heading?.startTime ?? Infinity)).length;
    });
    expect([path, Math.max(requests, 6), await look()]).toEqual([path, 6, fine]);
  }
  expect(faults).toEqual([]);
  await close();
});

test('a user without the permission reaches a page neither by the menu nor by its address', async () => {
  const { page, go, close } = await world.signedIn('reader');
  await page.getByRole('navigation').getByRole('menuitem', { name: 'Members' }).waitFor();
  expect(await page.getByRole('navigation').getByRole('menuitem', { name: 'Audit' }).count()).toBe(0);
  await go('/audit');
  await page.getByRole('heading', { level: 1, name: 'This is not for your role' }).waitFor();
  await close();
});

test('a user of support begins with the members, because the role has no overview', async () => {
  const { page, faults, close } = await world.signedIn('client');
  await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
  const menu = page.getByRole('navigation').getByRole('menuitem');
  expect(await menu.allInnerTexts()).toEqual(['Members', 'Definitions']);
  expect(faults).toEqual([]);
  await close();
});

test('the keyboard continues at the heading of a page, and a dialog focuses its first field and gives the focus back', async () => {
  const { page, go, faults, close } = await world.signedIn('admin', '/members');
  const focused = () => page.locator(':focus');
  await page.keyboard.press('Tab');
  expect(await focused().textContent()).toBe('Skip to content');
  await page.getByRole('menuitem', { name: 'Rules' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('h1:focus', { hasText: 'Rules' }).waitFor();
  await page.keyboard.press('Tab');
  expect(await focused().textContent()).toBe('New rule');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Go to…' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await focused().textContent()).toBe('New rule');

  await go(`/members/${await idOf('/members?loyaltyID=L-1003')}`);
  await page.getByRole('button', { name: 'More actions' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Erase' }).press('Enter');
  await page.locator('[role=dialog] input:focus').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('button:focus[aria-label="More actions"]').waitFor();

  // Enter that is pressed twice deletes nothing.
  await go(`/definitions/programs/${await idOf('/programs')}`);
  await page.getByRole('button', { name: 'Delete' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('[role=dialog] button:focus', { hasText: 'Cancel' }).waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('the command palette opens a page by its name', async () => {
  const { page, close } = await world.signedIn('admin');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Go to…' }).fill('purse pol');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Purse policies' }).waitFor();
  await close();
});

test('the command palette finds members when nothing else has the name', async () => {
  const { page, close } = await world.signedIn('client', '/definitions');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Go to…' }).fill('Amelia');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Amelia Novak' }).waitFor();
  await close();
});

test('the console and the sentences of rules can be read in German', async () => {
  const { page, go, close } = await world.signedIn('admin');
  await page.getByRole('button', { name: 'Language: English' }).click();
  await page.getByRole('menuitem', { name: 'Deutsch' }).click();
  await page.getByRole('heading', { level: 1, name: 'Überblick' }).waitFor();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('de');
  await go('/rules/demo/base-earn');
  await page.getByText('Einkauf, wenn gilt: Wert der Aktivität ist größer als 0.', { exact: false }).first().waitFor();
  await close();
});
