import { createInboxDrain } from '../../src/activities/inbox/inboxDrain';
import { fine } from './support/browser';
import { type ConsoleWorld, openConsoleWorld } from './support/consoleWorld';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsoleWorld();
});
afterAll(() => world.close());

test('a job that is run by hand is in the list of runs, and in the audit log with its user', async () => {
  const { page, go, faults, close } = await world.signedIn('admin', '/operations');
  await page.getByRole('button', { name: 'Run now: reconcile' }).click();
  await page.getByText(/^Reconcile: /).waitFor();
  await go('/operations/runs');
  await page.getByRole('cell', { name: 'reconcile' }).first().waitFor();
  await go('/audit');
  const entry = page.getByRole('row', { name: /Run Job reconcile/ });
  await entry.getByText(world.usernameOf('admin')).waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('a user who may not run jobs sees no button to run one', async () => {
  const { page, close } = await world.signedIn('reader', '/operations');
  await page.getByRole('heading', { name: 'Timers' }).waitFor();
  expect(await page.getByRole('button', { name: /Run now/ }).count()).toBe(0);
  await close();
});

test('a refused activity is listed with its reason, and the list of deliveries begins with failed ones', async () => {
  const api = world.server.as('admin');
  const refused = { type: 'Redemption', loyaltyID: 'L-1001', srcChannelType: 'POS', value: 99_999 };
  expect((await api.post('/activity', refused)).body.result.errors).toMatchObject([{ code: 2100 }]);
  const { page, go, look, faults, close } = await world.signedIn('admin', '/operations/refused');
  const row = page.getByRole('row', { name: /Amelia Novak Not enough points in Points: 99999 needed/ });
  await row.waitFor();
  expect(await look()).toEqual(fine);
  await row.getByRole('link', { name: 'Redemption' }).click();
  await page.getByRole('heading', { level: 1, name: /^Redemption of/ }).waitFor();
  await go('/operations/deliveries');
  await page.getByText('Status is not Delivered').waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('a purchase that was refused before it was processed is found by its number or card alone, with the reason', async () => {
  const api = world.server.as('client');
  const unknown = {
    type: 'Accrual',
    loyaltyID: 'NOBODY-77',
    srcChannelType: 'POS',
    value: 12,
    externalTxnId: 'TILL-9-77',
  };
  expect((await api.post('/activity?async=true', unknown)).status).toBe(202);
  for (let n = 0; n < 100 && (await api.get('/refusedactivities?externalTxnId=TILL-9-77')).body.length === 0; n += 1) {
    const inbox = createInboxDrain(world.server.services);
    await inbox.drain();
    await inbox.close();
  }
  const { page, go, look, faults, close } = await world.signedIn('reader', '/operations/refused?text=TILL-9-77');
  await page.getByRole('row', { name: /Purchase TILL-9-77 NOBODY-77 12 .*\(1500\)/ }).waitFor();
  expect(await look()).toEqual(fine);
  await page.getByRole('searchbox', { name: 'Number, card or id' }).fill('NOBODY-78');
  await page.getByText('No refused activity has this number, card or id.').first().waitFor();
  await go('/members');
  await page.getByRole('searchbox').fill('NOBODY-77');
  await page.getByRole('link', { name: 'An activity with it was refused: show why' }).click();
  await page.getByRole('row', { name: /NOBODY-77/ }).waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('a refused activity can be tried and then sent again unchanged once the reason is gone', async () => {
  const api = world.server.as('admin');
  const { body: program } = await api.get('/programs');
  await api.post('/members', { program: program[0]._id, loyaltyID: 'AGAIN-1', firstName: 'Gil' });
  const lineItems = [{ itemSKU: 'TEA-1', itemPrice: 40, quantity: 1 }];
  const redemption = { type: 'Redemption', loyaltyID: 'AGAIN-1', srcChannelType: 'POS', ext: { till: 7 }, lineItems };
  const { body: refused } = await api.post('/activity', { ...redemption, externalTxnId: 'once' });
  expect(refused.result.errors).toMatchObject([{ code: 2100 }]);
  const first = refused.result.data.activityId;
  const { page, go, look, faults, close } = await world.signedIn('admin', `/activities/${first}`);
  await page.getByRole('link', { name: 'Send again' }).click();
  await page.getByText('It would be refused again.').waitFor();
  expect(await page.getByRole('button', { name: 'Send again' }).isDisabled()).toBe(true);
  expect(await look()).toEqual(fine);

  await api.post('/activity', { type: 'Accrual', loyaltyID: 'AGAIN-1', srcChannelType: 'POS', value: 90 });
  await page.getByRole('button', { name: 'Look again' }).click();
  await page.getByRole('row', { name: 'Points 90 -40 50' }).waitFor();
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByRole('heading', { level: 1, name: 'Redemption of Gil', exact: true }).waitFor();
  const { body: sent } = await api.get(`/activityhistories/${new URL(page.url()).pathname.split('/').at(-1)}`);
  const { body: before } = await api.get(`/activityhistories/${first}`);
  expect(sent).toMatchObject({
    status: 'Processed',
    type: 'Redemption',
    date: before.date,
    value: 40,
    ext: { till: 7 },
  });
  expect(sent.lineItems).toMatchObject(lineItems);
  expect(sent._id).not.toBe(first);

  await go(`/activities/${first}/again`);
  await page.getByText('It was probably sent again before').waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('the list of refused activities is read again only when the user asks for it', async () => {
  const { page, go, faults, close } = await world.signedIn('admin');
  let reads = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/v1/activityhistories') reads += 1;
  });
  await page.clock.install();
  await go('/operations/refused');
  await page.getByRole('button', { name: 'Refresh' }).waitFor();
  await page.clock.runFor(300_000);
  expect(reads).toBe(1);
  const again = page.waitForResponse((answer) => answer.url().includes('/activityhistories?'));
  await page.getByRole('button', { name: 'Refresh' }).click();
  await again;
  expect(reads).toBe(2);
  expect(faults).toEqual([]);
  await close();
});

test('an upload ends even when its answer has no text', async () => {
  const { page, faults, close } = await world.signedIn('admin', '/operations/files');
  await page.route(/\/imports\?kind=/, (route) => route.fulfill({ status: 204 }));
  const file = { name: 'members.csv', mimeType: 'text/csv', buffer: Buffer.from('loyaltyID\nX-1\n') };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByText('The file is received').waitFor();
  await page.getByRole('progressbar', { name: 'The file is being sent' }).waitFor({ state: 'detached' });
  expect(faults).toEqual([]);
  await close();
});

test('a file can be checked, its failed rows saved, and then imported', async () => {
  const { page, close } = await world.signedIn('admin', '/operations/files');
  const rows = 'sku,name,price\nfile-1,From a file,3\nfile-2,,x\n';
  await page.locator('input[type=file]').setInputFiles({
    name: 'products.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(rows),
  });
  await page.getByLabel('Records').first().click();
  await page.getByRole('option', { name: 'Products' }).click();
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByText('Products (checked only)').waitFor();
  expect((await world.server.as('admin').get('/products?sku=file-1')).body).toEqual([]);
  await page.getByLabel('Only check it').uncheck();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('cell', { name: 'Products', exact: true }).waitFor();
  await close();
});

test('the change of a definition opens in the audit log with its values before and after', async () => {
  const { body: partner } = await world.server.as('admin').post('/partners', { code: 'p', name: 'Before' });
  await world.server.as('admin').put(`/partners/${partner._id}`, { name: 'Afterwards' });
  const { page, faults, violations, close } = await world.signedIn('admin', '/audit');
  await page
    .getByRole('row', { name: /Update Partner/ })
    .getByRole('link')
    .first()
    .click();
  await page.getByRole('heading', { level: 1, name: /^Entry \d+$/ }).waitFor();
  const change = page.getByRole('row', { name: 'Name Before Afterwards' });
  await change.waitFor();
  expect(await violations()).toEqual([]);
  expect(faults).toEqual([]);
  await close();
});
