import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { runNextImport } from '../../src/exchange/imports/run/runNextImport';
import { fine } from './support/browser';
import { type ConsoleWorld, openConsoleWorld } from './support/consoleWorld';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsoleWorld();
});
afterAll(() => world.close());

const shots = process.env.SCREENSHOTS;
async function shoot(page: Page, name: string): Promise<void> {
  if (!shots) return;
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
  await page.setViewportSize({ width: 400, height: 900 });
  await page.screenshot({ path: `${shots}/${name}-400.png`, fullPage: true });
  await page.setViewportSize({ width: 1280, height: 900 });
}

const choose = (page: Page, text: string, name = 'members.csv') =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Presses a button that starts an import, and runs it as a worker does. */
async function startBy(page: Page, name: string): Promise<void> {
  const answer = page.waitForResponse((each) => each.url().includes('/imports?kind='));
  await press(page, name);
  if ((await answer).ok()) await runNextImport(world.server.services);
}

/** The choice of the field of a column. */
const fieldOf = (page: Page, column: string) => page.getByRole('combobox', { name: `Field of ${column}`, exact: true });

async function pick(page: Page, column: string, field: string | RegExp): Promise<void> {
  await fieldOf(page, column).click();
  await page.getByRole('option', { name: field }).click();
}

const till =
  '\uFEFFKartennummer;Vorname;Nachname;Geburtsdatum;Mitglied seit;Punkte;Bemerkung\r\n' +
  'K-1;Jörg;Müller;03.02.1980;01.07.2020;12,34;"zwei\r\nZeilen; hier"\r\n' +
  'K-2;Mei;Groß;24.12.1990;15.08.2021;0,5;\r\n';

async function membersIn(): Promise<Record<string, { firstName: string; birthDate: string; points: unknown }>> {
  const { body } = await world.server.as('admin').get('/members?query={"loyaltyID":{"$in":["K-1","K-2","K-3"]}}');
  return Object.fromEntries(
    body.map(
      (each: { loyaltyID: string; firstName: string; birthDate: string; purses?: { availBalance: number }[] }) => [
        each.loyaltyID,
        { firstName: each.firstName, birthDate: each.birthDate, points: each.purses?.[0]?.availBalance },
      ],
    ),
  );
}

test('a German file of a till is imported by clicks: its mapping is proposed, tried, used and kept for the next file', async () => {
  const { page, look, faults, close } = await world.signedIn('admin', '/operations/files');
  await choose(page, till);
  await fieldOf(page, 'Kartennummer').filter({ hasText: '(loyaltyID)' }).waitFor();
  for (const [column, field] of Object.entries({
    Vorname: '(firstName)',
    Nachname: '(lastName)',
    Geburtsdatum: '(birthDate)',
    'Mitglied seit': '(enrolledAt)',
    Bemerkung: 'Leave out',
  })) {
    expect([column, await fieldOf(page, column).textContent()]).toEqual([column, expect.stringContaining(field)]);
  }
  await page.getByRole('group', { name: 'First rows of the file' }).getByRole('cell', { name: '24.12.1990' }).waitFor();
  expect(await page.getByLabel('Dates are written as').inputValue()).toBe('dd.MM.yyyy');
  expect(await fieldOf(page, 'Punkte').textContent()).toBe('balance:Points');
  await page.getByText('The points have decimals').waitFor();
  expect(await page.getByLabel('Value times').count()).toBe(0);
  await page.getByLabel('Points times').fill('100');
  await page
    .getByRole('combobox', { name: 'Decimals are written as' })
    .filter({ hasText: '0,5 or 1.234,56' })
    .waitFor();
  await shoot(page, 'mapping');
  await page.evaluate(() => scrollTo(0, 0));
  expect(await look()).toEqual(fine);
  await page.getByLabel('Name of the mapping').fill('Old till');
  await press(page, 'Save the mapping');
  await page.getByText('The mapping is saved').waitFor();
  expect(faults).toEqual([]);

  // Who may write points does it; the file with these columns needs no click but those that start it.
  const other = await world.signedIn('ledger-admin', '/operations/files');
  await choose(other.page, till);
  await other.page.getByRole('combobox', { name: 'Saved mapping' }).filter({ hasText: 'Old till' }).waitFor();
  await startBy(other.page, 'Check');
  await other.page.getByText('Checked, and nothing stored: 2 new, 0 changed, 0 unchanged, 0 failed.').waitFor();
  expect(await membersIn()).toEqual({});
  await startBy(other.page, 'Import it with these settings');
  await other.page.getByText('Imported: 2 new, 0 changed, 0 unchanged, 0 failed.').waitFor();
  expect(await membersIn()).toMatchObject({
    'K-1': { firstName: 'Jörg', birthDate: '1980-02-03', points: 1234 },
    'K-2': { firstName: 'Mei', birthDate: '1990-12-24', points: 50 },
  });

  // The next file with these columns needs no click but Import.
  await other.go('/operations/files');
  await choose(other.page, `${till.split('\r\n')[0]}\r\nK-3;Ada;Klein;01.01.2000;01.01.2024;7,00;\r\n`);
  await other.page.getByRole('combobox', { name: 'Saved mapping' }).filter({ hasText: 'Old till' }).waitFor();
  await startBy(other.page, 'Check');
  await startBy(other.page, 'Import it with these settings');
  await other.page.getByText('Imported: 1 new').waitFor();
  expect((await membersIn())['K-3']).toMatchObject({ firstName: 'Ada', points: 700 });
  expect(other.faults).toEqual([]);
  await other.close();
  await press(page, 'Delete the mapping');
  await page.getByText('The mapping is deleted.').waitFor();
  expect((await world.server.as('admin').get('/importmappings')).body).toEqual([]);
  expect(faults).toEqual([]);
  await close();
});

test('a wrong mapping shows the failing rows with their reasons, and each refusal of the service at its field', async () => {
  const { page, look, close } = await world.signedIn('ledger-admin', '/operations/files');
  await choose(page, till.replaceAll('K-', 'W-'));
  await pick(page, 'Nachname', /\(firstName\)$/);
  await startBy(page, 'Check');
  const twice = page.getByRole('listitem').filter({ hasText: 'Nachname' });
  await twice.getByText('is the name of two columns').waitFor();
  await pick(page, 'Nachname', /\(lastName\)$/);
  await pick(page, 'Vorname', 'Leave out');
  await pick(page, 'Bemerkung', /\(email\)$/);
  await page.getByLabel('Dates are written as').fill('MM/dd/yyyy');
  await startBy(page, 'Check');
  await page.getByText('0 new, 0 changed, 0 unchanged, 2 failed.').waitFor();
  const failed = page.getByRole('group', { name: 'The first rows that failed' });
  await failed.getByText(/birthDate must be a date as MM\/dd\/yyyy; "03\.02\.1980" is not/).waitFor();
  await page.evaluate(() => scrollTo(0, 0));
  expect(await look()).toEqual(fine);
  await shoot(page, 'failed');
  // Another file begins anew: nothing of the mapping before stays.
  await choose(page, 'Card number;Date of birth\nX-1;31/12/1999\n');
  await fieldOf(page, 'Card number').filter({ hasText: '(loyaltyID)' }).waitFor();
  expect(await page.getByLabel('Dates are written as').inputValue()).toBe('dd/MM/yyyy');
  expect(await failed.count()).toBe(0);
  await close();
});

test('a file that needs no mapping leaves the page as it is until the user asks for a mapping', async () => {
  const { page, close } = await world.signedIn('admin', '/operations/files');
  await choose(page, 'loyaltyID,program,firstName,createdAt,#note\nX-1,demo,Ada,,\n');
  await page.getByRole('button', { name: 'Say what the columns are' }).waitFor();
  expect(await page.getByText('First rows of the file').count()).toBe(0);
  await press(page, 'Say what the columns are');
  await fieldOf(page, 'firstName').waitFor();
  await close();
});

test('the page says what is wrong with a file: names missing or twice, no header, 300 columns, huge cells', async () => {
  const { page, look, close } = await world.signedIn('admin', '/operations/files');
  await choose(page, 'Karte;Karte;;Ort\n1;2;3;4\n');
  await page.getByText('Column 3 has no name.').waitFor();
  await page.getByText('named differently in the file: Karte').waitFor();
  await choose(page, '1001;Ada;31.01.2026\n1002;Mei;01.02.2026\n');
  await page.getByText('The first line looks like values.').waitFor();
  await choose(page, 'Karte;Ort\n');
  await page.getByText('There is no row below the names').waitFor();
  const wide = Array.from({ length: 300 }, (_each, place) => `Column ${place}`);
  await choose(page, `${wide.join(',')}\n${wide.map(() => 'W'.repeat(500)).join(',')}\n`);
  await page.getByText('and 260 more columns').waitFor();
  await page.evaluate(() => scrollTo(0, 0));
  expect((await look()).width).toBe(fine.width);
  await page.getByText('The file has more than 200 columns.').waitFor();
  await close();
});
