import { fine } from './support/browser';
import { type ConsoleWorld, openConsoleWorld } from './support/consoleWorld';
import { memberWithPurchase } from './support/memberWithPurchase';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsoleWorld();
});
afterAll(() => world.close());

test('the page of a member shows its purses, levels, awards and statement, and why each rule fired', async () => {
  const { member } = await memberWithPurchase(world, 'STORY-1', 'Berta');
  const { page, go, faults, violations, close } = await world.signedIn('reader', `/members/${member._id}`);
  await page.getByRole('heading', { name: 'Points', exact: true }).waitFor();
  await page.getByText(/Spend 448 USD more by .* to reach Silver/).waitFor();
  await page.getByText('One point per dollar: 52').waitFor();
  await page.getByRole('tab', { name: 'Statement' }).click();
  // The latest entry is first, and has the balance after both.
  const entries = page.getByRole('row', { name: /Awarded/ });
  await entries.first().getByText('+36').waitFor();
  expect(await entries.first().getByRole('cell').last().textContent()).toBe('88');
  expect(await violations()).toEqual([]);
  await page.getByRole('link', { name: 'Awarded' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Purchase of Berta Weiss' }).waitFor();
  const rules = page.getByRole('region', { name: 'Why' }).getByRole('listitem');
  await rules.first().getByText('Nearest miss', { exact: true }).waitFor();
  await rules.nth(1).getByText('It fired for 52 points in Points.').waitFor();
  expect(await violations()).toEqual([]);
  // A reader may return nothing, and is not offered it.
  expect(await page.getByRole('link', { name: 'Return or cancel' }).count()).toBe(0);
  await go(`/members/${member._id}?show=lots`);
  await page.getByRole('cell', { name: 'Available' }).first().waitFor();
  expect(await page.getByRole('button', { name: 'Change' }).count()).toBe(0);
  expect(faults).toEqual([]);
  await close();
});

test('an address is changed by fields; a user who saves what somebody else changed in the meantime decides for each field', async () => {
  const { member, api } = await memberWithPurchase(world, 'EDIT-1', 'Jutta');
  const path = `/members/${member._id}`;
  await api.patch(path, { address: { street: 'Park Street 2', floor: 2, lift: true } });
  const { page, faults, violations, close } = await world.signedIn('client', `${path}/edit`);
  expect(await page.getByLabel('Floor').inputValue()).toBe('2');
  await page.getByLabel('Floor').fill('3');
  await page.getByLabel('Lift').uncheck();
  await page.getByLabel('City').fill('Oslo');
  await page.getByLabel('Date of birth').fill('1988-04-12');
  await api.patch(path, { phone: '+47 22 00 00 00', birthDate: '1990-01-01' });
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Somebody else changed this meanwhile' });
  await dialog.getByText('Your entry: street: Park Street 2, floor: 3, lift: false, city: Oslo').waitFor();
  expect(await dialog.getByRole('radio', { name: 'Stored now: +47 22 00 00 00' }).isChecked()).toBe(true);
  expect(await dialog.getByRole('radio', { name: 'Your entry: 1988-04-12' }).isChecked()).toBe(true);
  expect(await violations()).toEqual([]);
  await dialog.getByRole('radio', { name: 'Stored now: 1990-01-01' }).check();
  await dialog.getByRole('button', { name: 'Save this' }).click();
  await page.getByText('Park Street 2, Oslo, 3, false').waitFor();
  const address = { street: 'Park Street 2', floor: 3, lift: false, city: 'Oslo' };
  expect((await api.get(path)).body).toMatchObject({ address, phone: '+47 22 00 00 00', birthDate: '1990-01-01' });
  expect(faults).toEqual([]);
  await close();
});

test('an address with names that are no fields is changed as JSON', async () => {
  const { member, api } = await memberWithPurchase(world, 'EDIT-2', 'Mechthild');
  const path = `/members/${member._id}`;
  await api.patch(path, { address: { 'line[1]': 'Park Street 2' } });
  const { page, faults, close } = await world.signedIn('client', `${path}/edit`);
  const address = page.getByRole('textbox', { name: 'Address', exact: true });
  expect(JSON.parse(await address.inputValue())).toEqual({ 'line[1]': 'Park Street 2' });
  await address.fill('{"line[1]": "Park Street 3"}');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(new RegExp(`${path}$`));
  expect((await api.get(path)).body.address).toEqual({ 'line[1]': 'Park Street 3' });
  expect(faults).toEqual([]);
  await close();
});

test('the products of a long activity are read in parts, so that each address is short enough', async () => {
  const { api } = await memberWithPurchase(world, 'LONG-1', 'Sieglinde');
  const products = Array.from({ length: 120 }, (_, n) => ({ sku: `long-${n}`, name: `Long ${n}`, price: 1 }));
  await Promise.all(products.map((body) => api.post('/products', body)));
  const { body: made } = await api.get('/products?query={"sku":{"$regex":"^long-"}}&limit=200&select=sku');
  const lineItems = made.map(({ _id }: { _id: string }) => ({ productId: _id, itemPrice: 1, quantity: 1 }));
  const purchase = { type: 'Accrual', srcChannelType: 'POS', loyaltyID: 'LONG-1', lineItems };
  const { body: posted } = await api.post('/activity', purchase);
  const { page, go, faults, close } = await world.signedIn('reader');
  const idsPerRequest: number[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === '/api/v1/products') idsPerRequest.push(JSON.parse(searchParams.get('query') ?? '')._id.$in.length);
  });
  await go(`/activities/${posted.result.data.activityId}`);
  for (const name of ['Long 0', 'Long 119']) await page.getByRole('cell', { name, exact: true }).waitFor();
  await page.waitForLoadState('networkidle');
  expect(idsPerRequest.sort()).toEqual([100, 20]);
  expect(faults).toEqual([]);
  await close();
});

test('a return by line shows what it takes back before it does so', async () => {
  const { member, activity, api } = await memberWithPurchase(world, 'RETURN-1', 'Carla');
  const { page, faults, violations, close } = await world.signedIn('admin', `/activities/${activity}/return`);
  await page.getByText('Espresso beans · ').waitFor();
  await page.getByLabel('Units: ESP-1').fill('4');
  await page.getByText('Must be 3 or less').waitFor();
  await page.getByLabel('Units: ESP-1').fill('1');
  // One point per dollar of 12, and another for coffee.
  await page.getByText('12 points are taken out of Points.').first().waitFor();
  await page.getByRole('row', { name: 'Points 88 -24 64' }).waitFor();
  expect(await violations()).toEqual([]);
  expect((await api.get(`/members/${member._id}/purses`)).body[0].balance).toBe(88);
  await page.getByRole('button', { name: 'Return these' }).click();
  await page.getByRole('heading', { level: 1, name: 'Return of Carla Weiss' }).waitFor();
  await page.getByText('Rule One point per dollar is decided again').waitFor();
  expect((await api.get(`/members/${member._id}/purses`)).body[0].balance).toBe(64);
  await page.getByRole('link', { name: 'Carla Weiss' }).click();
  await page.getByRole('link', { name: 'Purchase' }).click();
  await page.getByRole('columnheader', { name: 'Returned' }).waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('an activity is tried at another time, then posted', async () => {
  const { member, api } = await memberWithPurchase(world, 'POST-1', 'Dora');
  const { page, faults, violations, close } = await world.signedIn('admin', `/members/${member._id}/post`);
  await page.getByRole('button', { name: 'Add a line item' }).click();
  await page.getByLabel('SKU').fill('TEA');
  await page.getByRole('option', { name: 'TEA-1 · Green tea' }).click();
  expect(await page.getByLabel('Price').inputValue()).toBe('9');
  await page.getByLabel('Extension fields').fill('{"counter": 4}');
  await page.getByRole('button', { name: 'Try it' }).click();
  await page.getByText('It fired for 9 points in Points.').first().waitFor();
  expect(await violations()).toEqual([]);
  expect((await api.get(`/activityhistories/count?memberID=${member._id}`)).body.count).toBe(1);
  await page.getByRole('button', { name: 'Post it' }).click();
  await page.getByRole('heading', { level: 1, name: 'Purchase of Dora Weiss' }).waitFor();
  const { body: posted } = await api.get(`/activityhistories?memberID=${member._id}&sort=-_id`);
  expect(posted).toMatchObject([{ ext: { counter: 4 } }, {}]);
  expect(faults).toEqual([]);
  await close();
});

test('points are added and taken by hand with a reason, which the award keeps', async () => {
  const { member, api } = await memberWithPurchase(world, 'ADJUST-1', 'Emil');
  const { page, faults, close } = await world.signedIn('ledger-admin', `/members/${member._id}?show=lots`);
  await page.getByRole('button', { name: 'Add points' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add points' });
  await dialog.getByLabel('Points').fill('30');
  // Without a reason nothing can be sent.
  expect(await dialog.getByRole('button', { name: 'Add' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Reason').fill('The till was broken');
  await dialog.getByText('Points to spend: 88, then 118.').waitFor();
  await dialog.getByRole('button', { name: 'Add' }).click();
  await page.getByText('The till was broken').waitFor();
  await page
    .getByRole('row', { name: /The till was broken/ })
    .getByRole('button', { name: 'Change' })
    .click();
  const change = page.getByRole('dialog', { name: 'Change an award by hand' });
  await change.getByLabel('Available points').fill('10');
  await change.getByLabel('Reason').fill('Half of it was right');
  await change.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Half of it was right').waitFor();
  expect((await api.get(`/members/${member._id}/purses`)).body[0].balance).toBe(98);
  expect(faults).toEqual([]);
  await close();
});

test('a merge shows its result beforehand, and the merged member leads to the survivor', async () => {
  const { member: survivor } = await memberWithPurchase(world, 'MERGE-1', 'Frieda');
  const { member: other } = await memberWithPurchase(world, 'MERGE-2', 'Gustav');
  const { page, go, faults, violations, close } = await world.signedIn('admin', `/members/${survivor._id}/merge`);
  await page.getByRole('combobox').fill('MERGE-2');
  await page.getByRole('option', { name: 'Gustav Weiss · MERGE-2' }).click();
  await page.getByRole('row', { name: 'Points 88 88 176', exact: true }).waitFor();
  expect(await violations()).toEqual([]);
  await page.getByRole('button', { name: 'Merge Gustav Weiss' }).click();
  await page.getByRole('heading', { level: 1, name: 'Frieda Weiss' }).waitFor();
  await go(`/members/${other._id}`);
  await page.getByRole('link', { name: 'Open that member' }).click();
  await page.getByRole('heading', { level: 1, name: 'Frieda Weiss' }).waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('a member is erased only after its loyalty id was typed', async () => {
  const { member } = await memberWithPurchase(world, 'ERASE-1', 'Hedwig');
  const { page, go, faults, close } = await world.signedIn('admin', `/members/${member._id}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Erase' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Type ERASE-1 to confirm').fill('ERASE-2');
  expect(await dialog.getByRole('button', { name: 'Erase' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Type ERASE-1 to confirm').fill('ERASE-1');
  await dialog.getByRole('button', { name: 'Erase' }).click();
  await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
  await go(`/members/${member._id}`);
  await page.getByRole('heading', { level: 1, name: 'This member was erased' }).waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('every page about a member is accessible in both themes and fits 400 pixels', async () => {
  const { member, activity } = await memberWithPurchase(world, 'PAGES', 'Ida');
  const { page, go, look, faults, close } = await world.signedIn('ledger-admin');
  const tabs = ['activities', 'statement', 'lots', 'rewards', 'account'].map((tab) => `?show=${tab}`);
  const ofMember = [...tabs, '/edit', '/post', '/merge'].map((rest) => `/members/${member._id}${rest}`);
  for (const path of [...ofMember, '/members/create', `/activities/${activity}`, `/activities/${activity}/return`]) {
    await go(path);
    await page.waitForLoadState('networkidle');
    await page.locator('.MuiCircularProgress-root').first().waitFor({ state: 'detached' });
    expect([path, await look()]).toEqual([path, fine]);
  }
  expect(faults).toEqual([]);
  await close();
});
