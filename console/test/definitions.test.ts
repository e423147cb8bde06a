import { type ConsoleWorld, openConsoleWorld } from './support/consoleWorld';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsoleWorld();
});
afterAll(() => world.close());

const admin = () => world.server.as('admin');

test('every kind of definition has an accessible list and an accessible form', async () => {
  const { page, go, violations, faults, close } = await world.signedIn('admin', '/definitions');
  const kinds = await page
    .locator('main a[href*="/definitions/"]')
    .evaluateAll((links) => links.map((link) => (link.getAttribute('href') ?? '').replace('/console', '')));
  expect(kinds).toHaveLength(16);
  for (const kind of kinds) {
    await go(kind);
    await page.locator('table, [role=table], main h2').first().waitFor();
    await go(`${kind}/create`);
    await page.getByRole('button', { name: 'Save' }).waitFor();
    expect([kind, await violations()]).toEqual([kind, []]);
  }
  expect(faults).toEqual([]);
  await close();
});

test('a record is made by a form, found by a filter in the address, changed, and deleted', async () => {
  const { page, go, faults, close } = await world.signedIn('program-manager', '/definitions/products/create');
  await page.getByLabel('SKU').fill('tea-1');
  await page.getByLabel('Name').fill('Blue tea');
  await page.getByLabel('Price').fill('4.5');
  await page.getByLabel('Tags').fill('hot');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 1, name: 'Blue tea' }).waitFor();
  const [made] = (await admin().get('/products?sku=tea-1')).body;
  expect(made).toMatchObject({ sku: 'tea-1', name: 'Blue tea', price: 4.5, tags: ['hot'] });

  await page.getByLabel('Price').fill('5');
  const changes = page.getByRole('row', { name: /^Price/ });
  await changes.waitFor();
  expect(await changes.textContent()).toBe('Price4.55');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Element updated').waitFor();
  expect((await admin().get(`/products/${made._id}`)).body.price).toBe(5);

  await go('/definitions/products');
  await page.getByRole('searchbox').fill('blue');
  await page.waitForURL(/filter=/);
  await page.reload();
  await page.getByRole('link', { name: 'Blue tea' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.waitForURL(/definitions\/products(\?|$)/);
  expect((await admin().get(`/products/${made._id}`)).status).toBe(404);
  expect(faults).toEqual([]);
  await close();
});

test('extension fields are inputs by their definitions', async () => {
  const { body: kind } = await admin().post('/extschemas', { model: 'Location', name: 'Shops' });
  await admin().post('/enums', { type: 'Size', value: 'Small' });
  for (const def of [
    { field: 'size', type: 'enum', enumType: 'Size' },
    { field: 'tills', type: 'integer', max: 20, required: true },
    { field: 'open', type: 'boolean' },
  ]) {
    expect((await admin().post('/extdefs', { ...def, extSchema: kind._id })).status).toBe(201);
  }
  const { page, violations, faults, close } = await world.signedIn('program-manager', '/definitions/locations/create');
  await page.getByRole('textbox', { name: 'Number', exact: true }).fill('EXT-1');
  await page.getByLabel('Name').fill('With fields');
  const own = page.getByRole('group', { name: 'Extension fields' });
  await own.getByLabel('size').click();
  await page.getByRole('option', { name: 'Small' }).click();
  await own.getByLabel('open').click();
  await page.getByRole('option', { name: 'No', exact: true }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await own.getByText('Required').waitFor();
  await own.getByLabel('tills').fill('21');
  await own.getByText('Must be 20 or less').waitFor();
  await own.getByLabel('tills').fill('3');
  expect(await violations()).toEqual([]);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 1, name: 'With fields' }).waitFor();
  const { body: made } = await admin().get('/locations?number=EXT-1');
  expect(made).toMatchObject([{ ext: { size: 'Small', open: false, tills: 3 } }]);
  expect(faults).toEqual([]);
  await close();
});

test('faults of the service stand at their fields, and nothing is stored', async () => {
  const { page, close } = await world.signedIn('program-manager', '/definitions/programs/create');
  await page.getByLabel('Code').fill('not a code!');
  await page.getByLabel('Name').fill('New');
  await page.getByRole('button', { name: 'Save' }).click();
  const code = page.getByLabel('Code');
  await page.locator('[aria-invalid=true]').first().waitFor();
  expect(await code.getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByLabel('Name').getAttribute('aria-invalid')).toBe('false');
  expect((await admin().get('/programs/count')).body.count).toBe(1);
  await close();
});

test('a user who saves what somebody else changed in the meantime sees the differences and decides for each field', async () => {
  const { body: partner } = await admin().post('/partners', { code: 'acme', name: 'Acme' });
  const path = `/partners/${partner._id}`;
  const { page, violations, close } = await world.signedIn('program-manager', `/definitions${path}`);
  const dialog = page.getByRole('dialog', { name: 'Somebody else changed this meanwhile' });
  await page.getByLabel('Name').fill('Acme by me');
  await admin().put(path, { name: 'Acme by others', status: 'Inactive' });
  await page.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Stored now: Acme by others').waitFor();
  expect(await violations()).toEqual([]);

  // Back in the form, what was typed is still there, and nothing is saved.
  await dialog.getByRole('button', { name: 'Back to the form' }).click();
  expect(await page.getByLabel('Name').inputValue()).toBe('Acme by me');
  expect((await admin().get(path)).body.name).toBe('Acme by others');

  // Own changes stay unless one chooses otherwise; what only the other changed is kept.
  await page.getByRole('button', { name: 'Save' }).click();
  expect(await dialog.getByRole('radio', { name: 'Your entry: Acme by me' }).isChecked()).toBe(true);
  expect(await dialog.getByRole('radio', { name: 'Stored now: Inactive' }).isChecked()).toBe(true);
  await dialog.getByRole('button', { name: 'Save this' }).click();
  await page.getByText('Element updated').waitFor();
  expect((await admin().get(path)).body).toMatchObject({ name: 'Acme by me', status: 'Inactive' });

  await page.getByLabel('Name').fill('Mine again');
  await admin().put(path, { name: 'Theirs again' });
  await page.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('button', { name: 'Start again from what is stored' }).click();
  await page.getByRole('heading', { level: 1, name: 'Theirs again' }).waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('Theirs again');
  await close();
});

test('the text of a new API key is shown once', async () => {
  const { page, close } = await world.signedIn('admin', '/definitions/apikeys/create');
  await page.getByLabel('Name').fill('till');
  await page.getByLabel('Roles').click();
  await page.getByRole('option', { name: 'client' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save' }).click();
  const key = await page.getByRole('dialog').getByLabel('Secret').inputValue();
  const answer = await world.server.anonymous.get('/myaccount', { headers: { authorization: `Bearer ${key}` } });
  expect([answer.status, answer.body.apiKey.name]).toEqual([200, 'till']);
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('heading', { level: 1, name: 'till' }).waitFor();
  await close();
});

test('a reader has no button to make, save or delete anything', async () => {
  const [program] = (await admin().get('/programs')).body;
  const { page, go, close } = await world.signedIn('reader', '/definitions/programs');
  await page.getByRole('link', { name: program.name }).waitFor();
  expect(await page.getByRole('link', { name: 'New' }).count()).toBe(0);
  await go(`/definitions/programs/${program._id}`);
  await page.getByLabel('Name').waitFor();
  expect(await page.getByRole('button', { name: /Save|Delete/ }).count()).toBe(0);
  expect(await page.getByLabel('Name').isDisabled()).toBe(true);
  await go('/definitions/programs/create');
  await page.getByRole('heading', { level: 1, name: 'This is not for your role' }).waitFor();
  await close();
});
