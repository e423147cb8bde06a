import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { templateNames, templateRule } from '../src/rules/draft/templates';
import { sentenceOf } from '../src/rules/sentence/sentence';
import { fine } from './support/browser';
import { openPublishingWorld } from './support/consoleWorld';

let world: Awaited<ReturnType<typeof openPublishingWorld>>;
beforeAll(async () => {
  world = await openPublishingWorld();
});
afterAll(() => world.close());

const stored = async (name: string) =>
  JSON.parse(await readFile(path.join(world.rulesDir, 'demo', name), 'utf8')) as unknown;

/** The most clicks for the campaign, without its test. */
const clicksMax = 12;

test('a campaign is written as a sentence, without JSON and in few clicks, and published', async () => {
  const { page, faults, look, close } = await world.signedIn('admin', '/rules/new');
  let clicks = 0;
  const click = async (place: Locator) => {
    clicks += 1;
    await place.click();
  };
  const sentence = page.getByRole('region', { name: 'The rule as a sentence' });
  const dialog = page.getByRole('dialog');
  const part = (name: string) => sentence.getByRole('button', { name, exact: true });

  await page.getByLabel('Name', { exact: false }).first().fill('Coffee for Gold');
  await click(page.getByRole('button', { name: 'More for products', exact: false }));
  await click(page.getByRole('button', { name: 'Write the rule' }));
  await part('1 × the amount in Points').waitFor();
  await part('Product: Category is one of Coffee').waitFor();
  await part('500 points a month').waitFor();
  await page.getByText('The checks begin with your first change').waitFor();

  await click(part('All members'));
  await click(dialog.getByLabel('Tiers'));
  await click(page.getByRole('option', { name: 'Gold', exact: true }));
  await click(dialog.getByRole('button', { name: 'Done' }));
  await part('Gold members').waitFor();
  for (const what of ['Days and hours', 'Dates']) {
    await click(sentence.getByRole('button', { name: 'Add days, dates, limits' }));
    await click(page.getByRole('menuitem', { name: what }));
  }
  await part('Tuesdays').waitFor();
  expect(await look()).toEqual(fine);

  await page.getByRole('region', { name: 'Checks' }).getByText('No faults', { exact: false }).waitFor();
  await click(page.getByRole('button', { name: 'Publish…' }));
  await click(page.getByRole('button', { name: 'Publish now' }));
  await page.getByText(/Version \d+ is in force/).waitFor();
  expect(clicks).toBeLessThanOrEqual(clicksMax);
  expect(await stored('coffee-for-gold.json')).toMatchObject({
    tiers: ['Gold'],
    perLine: true,
    hours: { days: ['Tue'] },
    effective: { from: expect.stringMatching(/^\d{4}-\d\d-01$/) },
    conditions: { all: [{ fact: 'product', path: '$.category', operator: 'in', value: ['Coffee'] }] },
    actions: [{ type: 'addPoints', purse: 'Points', points: { of: { fact: 'lineItem', path: '$.itemAmount' } } }],
    limits: [{ what: 'points', per: 'member', period: 'month', max: 500 }],
  });
  expect(faults).toEqual([]);
  await close();
});

test('a condition of a line makes the points follow from the line, and is taken out again', async () => {
  const { page, faults, violations, close } = await world.signedIn('admin', '/rules/demo/base-earn');
  const sentence = page.getByRole('region', { name: 'The rule as a sentence' });
  const dialog = page.getByRole('dialog');
  await sentence.getByRole('button', { name: 'Add a condition' }).click();
  await dialog.getByRole('button', { name: 'A line of it' }).click();
  await dialog.getByLabel('Which?').fill('category');
  await page.getByRole('option', { name: 'Product: Category', exact: true }).click();
  await dialog.getByLabel('Value').fill('Coffee');
  expect(await violations()).toEqual([]);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  const added = sentence.getByRole('button', { name: 'Product: Category is Coffee' });
  await added.waitFor();
  const words = page.getByTestId('sentence');
  await words.getByText("the line item's item amount", { exact: false }).waitFor();
  await added.click();
  await dialog.getByRole('button', { name: 'Take it out' }).click();
  await words.getByText("the activity's value", { exact: false }).waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('each template is a rule without a fault, and its sentence has a part for all that it says', async () => {
  for (const name of templateNames.filter((each) => each !== 'empty')) {
    const rule = {
      key: `new-${name}`,
      name,
      status: 'active',
      ...templateRule(name, { purse: 'Points', level: 'Gold' }),
    };
    const files = [{ path: `demo/new-${name}.json`, text: JSON.stringify(rule) }];
    const { body } = await world.server.as('admin').post('/rules/check', { files });
    expect([name, body.errors]).toEqual([name, []]);
    expect([name, sentenceOf(rule).filter(({ kind }) => kind === 'conditions')]).toEqual([name, []]);
  }
});

test('parts are changed and taken out by the keyboard alone, and a sum of the member needs no JSON', async () => {
  const { page, faults, violations, close } = await world.signedIn('admin', '/rules/demo/coffee-double');
  const sentence = page.getByRole('region', { name: 'The rule as a sentence' });
  const dialog = page.getByRole('dialog');
  const isGone = (each: Locator) => each.waitFor({ state: 'detached' });

  const limit = sentence.getByRole('button', { name: '300 points a purchase' });
  await limit.focus();
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Max', { exact: false }).first().waitFor();
  expect(await violations()).toEqual([]);
  await page.keyboard.press('Escape');
  await isGone(dialog);
  // The part that was opened has the focus again.
  await sentence.getByRole('button', { name: '300 points a purchase' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Take it out' }).focus();
  await page.keyboard.press('Enter');
  await isGone(limit);

  await sentence.getByRole('button', { name: 'Add a condition' }).click();
  await dialog.getByRole('button', { name: 'The member' }).click();
  await dialog.getByLabel('Which?').fill('total');
  await page.getByRole('option', { name: "The member's total" }).click();
  await dialog.getByLabel('Metric').fill('spend');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await sentence.getByRole('button', { name: "The member's total", exact: false }).waitFor();
  await page.getByTestId('sentence').getByText('spend', { exact: false }).waitFor();
  // The test of the rule for the limit that is gone fails now, and says so.
  await page.getByRole('region', { name: 'Checks' }).getByText('300 points at most', { exact: false }).waitFor();
  expect(faults).toEqual([]);
  await close();
});

test('the sentence of a rule is in German', async () => {
  const { page, close } = await world.signedIn('admin', '/rules/demo/coffee-double', 'de-DE');
  const sentence = page.getByRole('region', { name: 'Die Regel als Satz' });
  await sentence.getByRole('button', { name: 'Alle Mitglieder' }).waitFor();
  await sentence.getByText('bekommen', { exact: true }).waitFor();
  await sentence.getByRole('button', { name: 'Produkt: Kategorie ist Coffee' }).waitFor();
  await sentence.getByRole('button', { name: '300 Punkte je Einkauf' }).waitFor();
  await close();
});
