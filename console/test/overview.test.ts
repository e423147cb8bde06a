import { type ConsoleWorld, openConsoleWorld } from './support/consoleWorld';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsoleWorld();
});
afterAll(() => world.close());

const post = (type: string, value: number) =>
  world.server.as('client').post('/activity', { type, loyaltyID: 'L-1001', srcChannelType: 'POS', value });

test('the overview leads a beginner to the first points, and then shows what was recorded', async () => {
  const { page, go, faults, close } = await world.signedIn('program-manager');
  await page.getByRole('heading', { name: 'First points in five minutes' }).waitFor();
  await page.getByRole('link', { name: 'Go to the members' }).waitFor();
  await post('Accrual', 120);
  await post('Redemption', 50);
  await post('Redemption', 99_999);
  await go('/');
  const tile = (name: string) => page.locator('dl > div', { hasText: name }).locator('dd');
  await page.getByRole('link', { name: 'One point per dollar' }).waitFor();
  expect(await page.getByRole('heading', { name: 'First points in five minutes' }).count()).toBe(0);
  expect(await tile('Activities').textContent()).toBe('3');
  expect(await tile('Points earned').textContent()).toBe('120');
  expect(await tile('Points redeemed').textContent()).toBe('50');
  await page.getByText('Not enough points (2100)').waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('the address holds the period, and going back returns to the previous one', async () => {
  const { page, close } = await world.signedIn('reader');
  await page.getByRole('button', { name: '90 days' }).click();
  await page.waitForURL(/from=\d{4}-\d\d-\d\d/);
  await page.getByLabel('From').fill('2024-01-01');
  await page.getByLabel('Until').fill('2024-02-01');
  await page.waitForURL(/to=2024-02-01/);
  await page.getByText('No rule awarded points in this period.').waitFor();
  await page.goBack();
  await page.goBack();
  await page.locator('[aria-pressed=true]', { hasText: '90 days' }).waitFor();
  await close();
});
