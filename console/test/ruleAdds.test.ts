import type { Locator, Page } from 'playwright-core';
import { ruleJsonSchema } from '../../src/engine/rules/editor/ruleJsonSchema';
import { fieldsOf } from '../src/rules/schema/fieldShape';
import { actionTypes, type RuleSchema } from '../src/rules/schema/knownFacts';
import { type ConsoleWorld, openConsoleWorld } from './support/consoleWorld';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsoleWorld();
});
afterAll(() => world.close());

interface DraftRule {
  conditions: { all: object[] };
  actions: { type: string }[];
  limits: unknown[];
  tests: unknown[];
}

const schema = ruleJsonSchema() as unknown as RuleSchema;
const namesIn = (definition: string) =>
  fieldsOf(schema.$defs[definition] ?? {}, schema, definition)
    .map(({ name }) => name)
    .sort();
/** Fields of a rule that no Add adds: another view has them, or the new rule has them from the start. */
const elsewhere = ['$schema', 'table'];

interface Checked {
  files: { path: string; text: string }[];
}

declare const window: { fetch: typeof fetch; checked?: Checked };

/** Keeps in the window what it sends last to be checked: the text of the rule. */
async function keepChecked(page: Page) {
  await page.addInitScript(() => {
    const send = window.fetch;
    window.fetch = async (to, settings) => {
      if (to instanceof Request && to.url.includes('/rules/preview')) window.checked = await to.clone().json();
      return send(to, settings);
    };
  });
  await page.reload();
}

async function checkedRule(page: Page): Promise<DraftRule> {
  const checked = await page.evaluate(() => window.checked);
  return JSON.parse(checked?.files[0]?.text ?? '{}');
}

/** Adds all that a menu of fields has. It goes when nothing is left. */
async function addAll(page: Page, add: Locator) {
  const menu = page.locator('.MuiPopover-root').getByRole('menu');
  for (;;) {
    await add.click();
    const fields = menu.getByRole('menuitem');
    await fields.first().waitFor();
    const left = await fields.count();
    await fields.first().click();
    await menu.waitFor({ state: 'detached' });
    if (left === 1) return;
  }
}

test('every Add of the form of a rule adds what it names', async () => {
  const { page, faults, close } = await world.signedIn('admin', '/rules/new?program=demo&key=adds&name=Adds&view=form');
  await keepChecked(page);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await button('Add an action').waitFor();

  for (const part of ['About', 'When', 'For whom', 'Limits and budget', 'Order', 'Tests'])
    await addAll(page, button(`Add to: ${part}`));
  for (const list of ['Limits', 'Tests']) await button(`Add to: ${list}`).click();
  await button('Condition').first().click();
  await button('Group').first().click();
  const types = actionTypes(schema).map(({ name }) => name);
  for (const [index, type] of types.entries()) {
    await button('Add an action').click();
    const kind = page.getByRole('combobox', { name: `Action ${index + 1}`, exact: true });
    await kind.click();
    await page.locator(`[role=option][data-value=${type}]`).click();
    const add = button(`Add to: Action ${index + 1}`);
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    if (await add.isVisible()) await addAll(page, add);
  }

  const preview = page.waitForRequest((request) => request.url().includes('/rules/preview'));
  await page.getByLabel('Description').first().fill('All that can be added');
  await preview;
  const rule = await checkedRule(page);
  expect(Object.keys(rule).sort()).toEqual(namesIn('rule').filter((name) => !elsewhere.includes(name)));
  const keys = rule.actions.map(({ type, ...others }) => [type, Object.keys(others).sort()]);
  expect(keys).toEqual(types.map((type) => [type, namesIn(type).filter((name) => name !== 'type')]));
  expect([rule.conditions.all.length, rule.limits.length, rule.tests.length]).toEqual([2, 1, 1]);
  expect(faults).toEqual([]);
  await close();
});
