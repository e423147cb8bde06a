import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { runNextSimulation } from '../../src/publishing/simulations/runNextSimulation';
import { fine } from './support/browser';
import { openPublishingWorld } from './support/consoleWorld';

let world: Awaited<ReturnType<typeof openPublishingWorld>>;
beforeAll(async () => {
  world = await openPublishingWorld();
});
afterAll(() => world.close());

/** What an Accrual of 100 gives a member, as the service decides it now. */
async function pointsOf(loyaltyID: string): Promise<number> {
  const activity = { type: 'Accrual', loyaltyID, value: 100 };
  const { body } = await world.server.as('client').post('/activity?persist=false&explain=true', activity);
  return body.ruleMatch.some(({ key, fired }: { key: string; fired: boolean }) => key === 'five-more' && fired) ? 5 : 0;
}

test('a rule made by the form is checked, tested, published, seen to award, and rolled back', async () => {
  const { page, faults, close } = await world.signedIn('admin', '/rules/new');
  const { body: members } = await world.server.as('client').get('/members?limit=1');
  const [{ loyaltyID }] = members;

  await page.getByLabel('Name', { exact: false }).first().fill('Five more');
  await page.getByRole('button', { name: 'Empty rule', exact: false }).click();
  await page.getByRole('button', { name: 'Write the rule' }).click();
  await page.getByRole('heading', { level: 1, name: 'Five more' }).waitFor();

  // Nothing is wrong before anything is written. Then the checks of the service say what is missing.
  const checks = page.getByRole('region', { name: 'Checks' });
  await checks.getByText('The checks begin with your first change').waitFor();
  await page.getByRole('button', { name: 'Advanced', exact: false }).click();
  await page.getByLabel('Priority', { exact: true }).fill('2');
  await checks.getByText('actions', { exact: false }).first().waitFor();
  await page.getByRole('button', { name: '1 fault' }).click();
  await page.locator('#rules-checks:focus').waitFor();
  await page.getByRole('button', { name: 'Add an action' }).press('Enter');
  // What was added has the focus, and a name that is typed comes before those that contain it.
  await page.locator('[role=combobox]:focus', { hasText: 'Give points' }).waitFor();
  // The primary purse is proposed.
  const purse = page.getByRole('combobox', { name: 'Purse' });
  expect(await purse.inputValue()).toBe('Points');
  await purse.fill('point');
  expect(await page.getByRole('option').allInnerTexts()).toEqual(['Points', 'Bonus Points']);
  await page.getByRole('option', { name: 'Points', exact: true }).click();
  await page.getByLabel('Number', { exact: true }).fill('5');
  await page.getByRole('button', { name: 'Condition', exact: true }).click();
  await checks.getByText('No faults', { exact: false }).waitFor();
  await page.getByText('add 5 points to the purse "Points"', { exact: false }).first().waitFor();

  // The views are in step: a test that is written as JSON is shown by the form, and runs.
  await page.getByRole('tab', { name: 'JSON' }).click();
  const editor = page.getByRole('textbox', { name: 'The rule as JSON' });
  const rule = JSON.parse(await editor.evaluate((element) => element.textContent ?? '')) as object;
  const tests = [
    { name: 'a purchase gives five', activity: { type: 'Accrual', value: 10 }, expect: { points: { Points: 5 } } },
  ];
  await editor.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(JSON.stringify({ ...rule, tests }, null, 2));
  await page.getByText('1 of 1 passed').waitFor();
  await page.getByRole('tab', { name: 'Form' }).click();

  expect(await pointsOf(loyaltyID)).toBe(0);
  await page.getByRole('button', { name: 'Publish…' }).click();
  await page.getByRole('button', { name: 'Publish now' }).click();
  await page.getByText(/Version \d+ is in force/).waitFor();
  await page.getByRole('button', { name: 'Done' }).and(page.locator(':focus')).press('Enter');
  expect(JSON.parse(await readFile(path.join(world.rulesDir, 'demo/five-more.json'), 'utf8'))).toMatchObject({ tests });
  expect(await pointsOf(loyaltyID)).toBe(5);

  await page.getByRole('heading', { level: 1, name: 'Five more' }).waitFor();
  await page.getByRole('navigation').getByRole('menuitem', { name: 'Rules' }).click();
  await page.getByRole('searchbox', { name: 'Search rules' }).fill('five more');
  await page.getByRole('link', { name: 'Five more' }).waitFor();
  await page.getByRole('tab', { name: 'Versions' }).click();
  await page.getByRole('button', { name: 'Roll back to version 1', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click();
  await page.getByText(/Rolled back, and their files differ/).waitFor();
  expect(await pointsOf(loyaltyID)).toBe(0);
  // The version in force differs from the one before it.
  await page.getByRole('link', { name: '3', exact: true }).click();
  await page.getByText('From version 2 to version 3').waitFor();
  await page.getByRole('region', { name: '1 rule was removed' }).getByText('Five more').waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('a user who may only read sees the rule and no button to change it', async () => {
  const { page, faults, close } = await world.signedIn('reader', '/rules/demo/base-earn');
  await page.getByText('Accrual: when', { exact: false }).waitFor();
  expect(await page.getByRole('button', { name: /Publish|Simulate|Try/ }).count()).toBe(0);
  expect(await page.getByRole('button', { name: /^Add / }).count()).toBe(0);
  expect(faults).toEqual([]);
  await close();
});

const pages = ['/rules', '/rules/new', '/rules/demo/base-earn', '/rulesets', '/rulesets/1', '/simulations'];

test('the pages of rules are accessible in both themes and fit a narrow window', async () => {
  const { page, go, look, faults, close } = await world.signedIn('admin');
  for (const path of pages) {
    await go(path);
    expect([path, await look()]).toEqual([path, fine]);
  }
  // What the tests reach: in the list, and condition by condition beside the rule.
  await go('/rules');
  await page
    .getByRole('row', { name: 'A redemption burns its value', exact: false })
    .getByText('1 of 1 conditions not tested both ways')
    .waitFor();
  await go('/rules/demo/redeem');
  await page.getByRole('region', { name: 'Tests' }).getByText('never false in a test').waitFor();
  await page.goto(`${world.server.url}/console/rules/demo/base-earn?view=json`);
  await page.getByRole('textbox', { name: 'The rule as JSON' }).waitFor();
  expect(await look()).toEqual(fine);
  expect(faults).toEqual([]);
  await close();
});

test('a simulation shows what a changed rule would have given, and is found again in the list', async () => {
  const { body: members } = await world.server.as('client').get('/members?limit=1');
  const activity = { type: 'Accrual', loyaltyID: members[0].loyaltyID, value: 50, partnerCode: 'FUEL' };
  expect((await world.server.as('client').post('/activity', activity)).status).toBe(200);
  const { page, go, faults, violations, close } = await world.signedIn('admin', '/rules/demo/partner-fuel?view=form');
  await page.getByLabel('Times', { exact: true }).fill('2');
  await page.getByText('2 × the activity', { exact: false }).first().waitFor();
  await page.getByRole('button', { name: 'Simulate…' }).click();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('heading', { level: 1, name: 'Simulation' }).waitFor();
  await page.getByText('Waits').waitFor();
  await runNextSimulation(world.server.services);
  await page.getByRole('heading', { level: 2, name: 'By rule' }).waitFor();
  const byDay = page.getByRole('region', { name: 'Points by day', exact: true });
  await byDay.getByRole('img', { name: 'Points by day' }).or(byDay.locator('svg')).first().waitFor();
  expect(await byDay.getByRole('row').count()).toBeGreaterThan(1);
  await page.getByRole('rowheader', { name: 'One more point per dollar at Fuel' }).first().waitFor();
  // 50 points of the demo cost a cent each, in the currency of its program.
  await page.getByText('+$0.50', { exact: true }).waitFor();
  await page.getByRole('link', { name: [members[0].firstName, members[0].lastName].join(' ') }).waitFor();
  expect(await violations()).toEqual([]);
  await go('/simulations');
  await page.getByText('Done').first().waitFor();
  // What was changed is kept while the page was left.
  await go('/rules/demo/partner-fuel?view=form');
  await page.getByText('Your changes stay in this tab', { exact: false }).waitFor();
  expect(await page.getByLabel('Times', { exact: true }).inputValue()).toBe('2');
  expect(faults).toEqual([]);
  await close();
});

test('a CSV file becomes a new lookup table, with the checks of the service, and is published with its declaration', async () => {
  const { page, faults, violations, close } = await world.signedIn('admin', '/rules/demo/base-earn?view=tables');
  const choose = async (name: string, text: string) => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByText('New table from a CSV file').click(),
    ]);
    await chooser.setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  };
  await choose('Strecken Müller.csv', 'from,to,miles\nZRH,JFK,3924\nZRH,JFK,1\n');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Columns: from, to, miles · 2 rows').waitFor();
  expect(await dialog.getByLabel('Name of the file').inputValue()).toBe('Strecken Muller.csv');
  await dialog.getByLabel('Name of the file').fill('distances.csv');
  await dialog.getByLabel('Name for rules').fill('distances');
  await dialog.getByRole('checkbox', { name: 'to' }).check();
  expect(await violations()).toEqual([]);
  await dialog.getByRole('button', { name: 'Add the table' }).click();
  // The service finds the two rows with the same keys, and the grid mends it.
  const checks = page.getByRole('region', { name: 'Checks' });
  await checks.getByText('demo/distances.csv:3', { exact: false }).waitFor();
  await page.getByRole('textbox', { name: 'to, row 2' }).fill('GVA');
  await checks.getByText('No faults', { exact: false }).waitFor();

  await page.getByRole('button', { name: 'Publish…' }).click();
  await page.getByRole('button', { name: 'Publish now' }).click();
  await page.getByText(/Version \d+ is in force/).waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Open the table' }).waitFor();
  expect(await readFile(path.join(world.rulesDir, 'demo/distances.csv'), 'utf8')).toBe(
    'from,to,miles\nZRH,JFK,3924\nZRH,GVA,1\n',
  );
  expect(JSON.parse(await readFile(path.join(world.rulesDir, 'demo/distances.json'), 'utf8'))).toEqual({
    lookupTable: 'distances',
    csv: 'distances.csv',
    keys: ['from', 'to'],
  });
  expect(await page.getByRole('button', { name: 'Publish…' }).isDisabled()).toBe(true);

  // A name that is taken is not offered again.
  await choose('distances.csv', 'a,b\n1,2\n');
  await dialog.getByText('The program has a file of this name', { exact: false }).waitFor();
  expect(await dialog.getByRole('button', { name: 'Add the table' }).isDisabled()).toBe(true);

  // As the decision table of the rule each row becomes a rule, once every column has its purpose.
  await dialog.getByLabel('Name of the file').fill('bonus.csv');
  await dialog.getByRole('combobox', { name: 'What it is for' }).click();
  await page.getByRole('option', { name: 'The decision table of this rule', exact: false }).click();
  await dialog.getByRole('button', { name: 'Add the table' }).click();
  for (const [column, purpose] of [
    ['a', 'Compared with a fact'],
    ['b', 'Sets a field of the rule'],
  ] as const) {
    await page.getByRole('combobox', { name: column, exact: true }).click();
    await page.getByRole('option', { name: purpose }).click();
  }
  await page.getByRole('textbox', { name: 'b, row 1' }).waitFor();
  await checks.getByText('is required', { exact: false }).first().waitFor({ state: 'detached' });
  expect(await violations()).toEqual([]);
  expect(faults).toEqual([]);
  await close();
});
