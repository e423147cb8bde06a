import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fine } from './support/browser';
import { openPublishingWorld } from './support/consoleWorld';

let world: Awaited<ReturnType<typeof openPublishingWorld>>;
beforeAll(async () => {
  world = await openPublishingWorld({ RULES_APPROVAL: 'on' });
});
afterAll(() => world.close());

const file = () => readFile(path.join(world.rulesDir, 'demo/partner-fuel.json'), 'utf8');

/** Asks for a change of a rule without the console; returns the address of its proposal. */
async function propose(points: number): Promise<string> {
  const rules = [JSON.parse(await file())].flat() as object[];
  const text = JSON.stringify(rules.map((rule) => ({ ...rule, description: `${points} points` })));
  const files = [{ path: 'demo/partner-fuel.json', text }];
  const { status, body } = await world.server
    .as('program-manager')
    .post('/rules/publish', { files, reason: 'For the summer' });
  expect([status, body]).toEqual([202, body]);
  return `/proposals/${body._id}`;
}

test('a user proposes rules in the publish dialog and sees that they wait; another user reads the differences and approves', async () => {
  const before = await file();
  const manager = await world.signedIn('program-manager', '/rules/demo/partner-fuel?view=form');
  const own = manager.page;
  await own.getByRole('region', { name: 'About' }).getByLabel('Name').fill('More at the pump');
  await own.getByRole('button', { name: 'Publish…' }).click();
  await own.getByRole('heading', { name: 'Ask for approval' }).waitFor();
  await own.getByLabel('Reason').fill('As agreed with the oil company');
  await own.getByRole('button', { name: 'Ask for approval' }).click();
  await own.getByRole('link', { name: 'Show the proposal' }).click();
  await own.getByText('You have asked for this', { exact: false }).waitFor();
  await own.getByRole('button', { name: 'Withdraw…' }).waitFor();
  expect(await own.getByRole('button', { name: /Approve/ }).count()).toBe(0);
  expect(await file()).toBe(before);

  const admin = await world.signedIn('admin', '/rules');
  const { page } = admin;
  const waiting = page.getByRole('region', { name: '1 change waits for approval' });
  await waiting.getByText('As agreed with the oil company').waitFor();
  await waiting.getByRole('link', { name: 'Publish demo/partner-fuel.json' }).click();
  await page.getByText('Asked by program-manager@test', { exact: false }).waitFor();
  const changes = page.getByRole('region', { name: 'demo/partner-fuel.json' });
  await changes.getByText('More at the pump', { exact: false }).first().waitFor();
  await page.getByText('No faults. It can be approved.', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Approve…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Approved by admin@test', { exact: false }).waitFor();
  await page.getByRole('link', { name: 'Version 2' }).waitFor();
  expect(await page.getByRole('button', { name: /Approve|Reject/ }).count()).toBe(0);
  expect(await file()).not.toBe(before);
  expect((await world.server.as('reader').get('/rulesets/current')).body.version).toBe(2);
  expect([manager.faults, admin.faults]).toEqual([[], []]);
  await manager.close();
  await admin.close();
});

test('a rejection needs a reason, which the list of proposals keeps', async () => {
  const { page, go, faults, close } = await world.signedIn('admin', await propose(1));
  await page.getByRole('button', { name: 'Reject…' }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByRole('button', { name: 'Reject' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Reason').fill('Not before summer');
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await page.getByText('Rejected by admin@test', { exact: false }).waitFor();
  await page.getByText('“Not before summer”', { exact: false }).waitFor();
  await go('/proposals');
  await page
    .getByRole('region', { name: 'Rejected' })
    .getByRole('link', { name: 'Publish demo/partner-fuel.json' })
    .waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('a proposal says that its file has changed since, and cannot be approved', async () => {
  const at = await propose(2);
  const other = await propose(3);
  await world.server.as('admin').post(`/rules${other}/approve`, {});
  const { page, faults, close } = await world.signedIn('admin', at);
  await page.getByText('A file was changed since this was proposed', { exact: false }).waitFor();
  expect(await page.getByRole('button', { name: 'Approve…' }).isDisabled()).toBe(true);
  expect(faults).toEqual([]);
  await close();
});

test('a user who may only read sees proposals and no button to decide them', async () => {
  const { page, faults, close } = await world.signedIn('reader', await propose(4));
  await page.getByText('Asked by program-manager@test', { exact: false }).waitFor();
  expect(await page.getByRole('button', { name: /Approve|Reject|Withdraw/ }).count()).toBe(0);
  expect(faults).toEqual([]);
  await close();
});

test('the pages of proposals are accessible in both themes and fit the window', async () => {
  const { go, look, faults, close } = await world.signedIn('admin');
  const at = await propose(5);
  for (const each of ['/proposals', at, '/rules']) {
    await go(each);
    expect([each, await look()]).toEqual([each, fine]);
  }
  expect(faults).toEqual([]);
  await close();
});
