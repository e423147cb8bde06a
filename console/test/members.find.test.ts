import type { Page } from 'playwright-core';
import { type ConsoleWorld, openConsoleWorld } from './support/consoleWorld';
import { memberWithPurchase } from './support/memberWithPurchase';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsoleWorld();
});
afterAll(() => world.close());

/** The texts of the searches for members that a page asks for from now on. */
function searchesOf(page: Page): string[] {
  const searches: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    const search = searchParams.get('search');
    if (pathname === '/api/v1/members' && search !== null) searches.push(search);
  });
  return searches;
}

test('members are found while the user types, and Enter opens the page of the member', async () => {
  const { member } = await memberWithPurchase(world, 'FIND-1', 'Ottoline');
  const { page, faults, close } = await world.signedIn('reader', '/members');
  await page.getByRole('searchbox', { name: 'Find a member' }).fill('weis otto');
  await page.waitForURL(/[?]search=weis[+]otto$/);
  await page.getByRole('link', { name: 'Ottoline Weiss' }).waitFor();
  await page.getByRole('searchbox', { name: 'Find a member' }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Ottoline Weiss' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/console/members/${member._id}`);
  expect(faults).toEqual([]);
  await close();
});

test('a member is found by the beginning of its id, e-mail address and phone number', async () => {
  const { member, api } = await memberWithPurchase(world, 'BEGIN-17', 'Quirin');
  await api.patch(`/members/${member._id}`, { email: 'quirin.w@example.com', phone: '+49 151 7654321' });
  const { page, faults, close } = await world.signedIn('client', '/members');
  for (const typed of ['begin-1', 'quirin.w@', '+49 151 76']) {
    await page.getByRole('searchbox', { name: 'Find a member' }).fill(typed);
    await page.waitForURL((url) => url.searchParams.get('search') === typed);
    await page.getByRole('link', { name: 'Quirin Weiss' }).waitFor();
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1);
  }
  expect(faults).toEqual([]);
  await close();
});

test('members that begin with the typed text are listed page by page', async () => {
  const api = world.server.as('admin');
  const [program] = (await api.get('/programs')).body;
  const bodies = Array.from({ length: 30 }, (_, n) => ({ program: program._id, loyaltyID: `CARD-${100 + n}` }));
  expect((await api.post('/members/bulk', bodies)).status).toBe(200);
  const { page, go, faults, close } = await world.signedIn('client', '/members?search=card-1');
  const searches = searchesOf(page);
  const rows = page.locator('tbody tr');
  const shown = new Set<string>();
  for (const count of [25, 5]) {
    await page.waitForFunction((n) => document.querySelectorAll('tbody tr').length === n, count);
    for (const row of await rows.allTextContents()) shown.add(row);
    if (count === 25) await page.getByRole('link', { name: 'Next' }).click();
  }
  expect(shown.size).toBe(30);
  expect(await page.getByRole('link', { name: 'Next' }).count()).toBe(0);
  // Who asks for a beginning that nobody has is answered by one search.
  searches.length = 0;
  await go('/members?search=nobody*');
  await page.getByText('No member was found.').waitFor();
  expect(searches).toEqual(['nobody*']);
  expect(faults).toEqual([]);
  await close();
});

test('the list of members is read page by page and can go back to the first page', async () => {
  const api = world.server.as('admin');
  const [program] = (await api.get('/programs')).body;
  const bodies = Array.from({ length: 60 }, (_, n) => ({ program: program._id, loyaltyID: `LIST-${n}` }));
  expect((await api.post('/members/bulk', bodies)).status).toBe(200);
  const { page, faults, close } = await world.signedIn('reader', '/members');
  await page.getByRole('link', { name: 'LIST-59', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Next' }).click();
  await page.getByRole('link', { name: 'LIST-34', exact: true }).waitFor();
  expect(await page.getByRole('link', { name: 'LIST-35', exact: true }).count()).toBe(0);
  await page.getByRole('link', { name: 'Next' }).click();
  await page.getByRole('link', { name: 'LIST-9', exact: true }).waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'LIST-34', exact: true }).waitFor();
  await page.getByRole('link', { name: 'First page' }).click();
  await page.getByRole('link', { name: 'LIST-59', exact: true }).waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('the field to pick a member searches once nothing more was typed for a moment', async () => {
  const { member } = await memberWithPurchase(world, 'PICK-1', 'Ludmila');
  const { page, faults, close } = await world.signedIn('admin', `/members/${member._id}/merge`);
  const searches = searchesOf(page);
  const box = page.getByRole('combobox').first();
  await box.waitFor();
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await box.pressSequentially('nobody-has-it');
  await page.clock.runFor(250);
  expect(searches).toEqual([]);
  const last = page.waitForResponse((answer) => answer.url().includes('search=nobody-has-it*'));
  // Time goes on by itself: the answer to the first search takes its own, and the second one waits for it.
  await page.clock.resume();
  await last;
  expect(searches).toEqual(['nobody-has-it', 'nobody-has-it*']);
  expect(faults).toEqual([]);
  await close();
});
