// Takes the pictures of docs/console from a running service with the demo: `node console/screenshots.mjs <url> <username>
// <password>`. Each page at 1280 and 400 pixels, light and dark. It begins a simulation, so that there is one to see.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';

const [url, username, password] = process.argv.slice(2);
if (!password) throw new Error('usage: node console/screenshots.mjs <url> <username> <password>');
const folder = path.join(import.meta.dirname, '../docs/console');
const quality = 60;

let token = '';
/** Calls the API. */
async function call(method, at, body) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const answer = await fetch(`${url}/api/v1${at}`, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${at}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** A simulation of a rule of the demo that gives more. */
async function simulate() {
  const { text } = await call('GET', '/rules/files?path=demo/base-earn.json');
  const file = JSON.parse(text);
  const rules = [file].flat().map((rule) => ({ ...rule, actions: rule.actions.map(doubled) }));
  const { _id } = await call('POST', '/rules/simulate', { rules, program: 'demo' });
  while (!['Done', 'Failed'].includes((await call('GET', `/simulations/${_id}`)).status)) await sleep(500);
  return _id;
}

const doubled = (action) =>
  action.points?.times === undefined ? action : { ...action, points: { ...action.points, times: 2 } };

({ token } = await call('POST', '/login', { username, password }));
const [activity] = await call('GET', '/activityhistories?type=Accrual&sort=-_id&limit=1');
const [program] = await call('GET', '/programs?limit=1');
const [{ version }] = await call('GET', '/rulesets?sort=-version&limit=1&select=version');
const pages = {
  overview: '/',
  members: '/members',
  member: `/members/${activity.member ?? activity.memberID}`,
  activity: `/activities/${activity._id}`,
  rules: '/rules',
  rule: '/rules/demo/base-earn',
  rulesets: '/rulesets',
  version: `/rulesets/${version}`,
  simulation: `/simulations/${await simulate()}`,
  definitions: '/definitions',
  'purse-policies': '/definitions/pursepolicies',
  program: `/definitions/programs/${program._id}`,
  operations: '/operations',
  audit: '/audit',
};

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const page = await browser.newPage({ locale: 'en-US' });
await page.goto(`${url}/console/`);
mkdirSync(folder, { recursive: true });
await page.getByLabel('Username').waitFor();
await page.screenshot({ path: path.join(folder, 'login.jpg'), type: 'jpeg', quality });
await page.getByLabel('Username').fill(username);
await page.getByLabel('Password').fill(password);
await page.getByRole('button', { name: 'Sign in' }).click();
await page.getByRole('navigation').first().waitFor();
for (const [name, at] of Object.entries(pages)) {
  for (const theme of ['light', 'dark']) {
    await page.evaluate(
      (chosen) => localStorage.setItem('RaStoreloyalty-console.theme', JSON.stringify(chosen)),
      theme,
    );
    for (const width of [1280, 400]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${url}/console${at}`);
      await page.locator('h1').waitFor();
      await page.waitForLoadState('networkidle');
      await page.screenshot({ path: path.join(folder, `${name}-${theme}-${width}.jpg`), type: 'jpeg', quality });
    }
  }
}
await browser.close();
