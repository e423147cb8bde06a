// Takes the pictures of docs/console from a running service with the demo: `node console/screenshots.mjs <url> <username>
// <password> [names]`. Each page at 1280 and 400 pixels, light and dark; with names such as `member,audit` only these. It
// posts purchases and begins a simulation, so that there is something to see. With RULES_APPROVAL=on it also makes a user
// who proposes a rule, and takes the pictures of proposals.
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';

const [url, username, password, names] = process.argv.slice(2);
if (!password) throw new Error('usage: node console/screenshots.mjs <url> <username> <password> [names]');
const folder = path.join(import.meta.dirname, '../docs/console');

let token = '';
/** Calls the API. */
async function call(method, at, body) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const answer = await fetch(`${url}/api/v1${at}`, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${at}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Purchases and redemptions of all members of the demo over a month. */
async function shop() {
  const members = await call('GET', '/members?limit=50&select=_id');
  for (let n = 0; n < 120; n += 1) {
    const { _id: memberID } = members[(n * 7) % members.length];
    const date = new Date(Date.now() - (n % 30) * 86_400_000).toISOString();
    const type = n % 9 === 8 ? 'Redemption' : 'Accrual';
    const purchase = { type, memberID, date, value: 5 + ((n * 37) % 90), srcChannelType: n % 3 ? 'POS' : 'Web' };
    await call('POST', '/activity', { ...purchase, ...(n % 5 ? {} : { partnerCode: 'FUEL' }) });
  }
  // These are refused.
  for (const { _id: memberID } of members.slice(0, 2)) {
    await call('POST', '/activity', { type: 'Redemption', memberID, value: 90_000, srcChannelType: 'POS' });
  }
}

/** A simulation of a rule that gives five points more at the partner. */
async function simulate() {
  const rule = {
    key: 'fuel-five',
    name: 'Five points more at Fuel & Go',
    status: 'active',
    activityTypes: ['Accrual'],
    priority: 9,
    conditions: { all: [{ fact: 'activity', path: '$.partnerCode', operator: 'equal', value: 'FUEL' }] },
    actions: [{ type: 'addPoints', purse: 'Points', points: 5 }],
  };
  const { _id } = await call('POST', '/rules/simulate', { rules: [rule], program: 'demo' });
  while (!['Done', 'Failed'].includes((await call('GET', `/simulations/${_id}`)).status)) await sleep(500);
  return _id;
}

/** Has another user ask for a change of a rule, where a second person has to approve it; else undefined. */
async function propose() {
  if (!(await call('GET', '/rules/overview')).needsApproval) return undefined;
  const manager = { username: `ines-${randomUUID().slice(0, 4)}`, password: randomUUID() };
  await call('POST', '/users', { ...manager, roles: ['program-manager'] });
  const file = 'demo/partner-fuel.json';
  const before = readFileSync(path.join(import.meta.dirname, '../rules', file), 'utf8');
  const text = before.replace(/"name": "[^"]*"/, '"name": "More at the pump until the end of August"');
  const body = { files: [{ path: file, text }], reason: 'For the summer, as agreed with Fuel & Go' };
  const own = token;
  ({ token } = await call('POST', '/login', manager));
  const { _id } = await call('POST', '/rules/publish', body);
  token = own;
  return _id;
}

({ token } = await call('POST', '/login', { username, password }));
await shop();
const [activity] = await call('GET', '/activityhistories?type=Accrual&sort=-_id&limit=1');
const [program] = await call('GET', '/programs?limit=1');
const [{ version }] = await call('GET', '/rulesets?sort=-version&limit=1&select=version');
const proposal = await propose();
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
  refused: '/operations/refused',
  audit: '/audit',
  ...(proposal ? { proposals: '/proposals', proposal: `/proposals/${proposal}` } : {}),
};
const taken = Object.entries(pages).filter(([name]) => names === undefined || names.split(',').includes(name));

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const page = await browser.newPage({ locale: 'en-US' });
await page.goto(`${url}/console/`);
mkdirSync(folder, { recursive: true });
await page.getByLabel('Username').waitFor();
await page.screenshot({ path: path.join(folder, 'login.png'), type: 'png' });
await page.getByLabel('Username').fill(username);
await page.getByLabel('Password').fill(password);
await page.getByRole('button', { name: 'Sign in' }).click();
await page.getByRole('navigation').first().waitFor();
for (const [name, at] of taken) {
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
      await page.screenshot({ path: path.join(folder, `${name}-${theme}-${width}.png`), type: 'png' });
    }
  }
}
await browser.close();
