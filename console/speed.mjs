// Measures the console at a running service: `node console/speed.mjs <url> <username> <password>`. With `--fill` it first
// imports a million members and publishes 2,000 rules into the program `demo`; both stay. Exits non-zero when a limit
// of docs/console/README.md is exceeded.
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';

const [url, username, password, fill] = process.argv.slice(2);
if (!password) throw new Error('usage: node console/speed.mjs <url> <username> <password> [--fill]');

const members = 1_000_000;
const rules = 2000;
/** The limits, in milliseconds. */
const limits = { interactive: 2000, page: 300, rule: 500 };
const turns = 12;

let failed = 0;
/** Prints a figure beside its limit. */
function tell(what, figure, limit) {
  if (figure > limit) failed += 1;
  console.log(
    `${what.padEnd(66)} ${String(Math.round(figure)).padStart(6)}  of ${limit}${figure > limit ? '  TOO MUCH' : ''}`,
  );
}

/** Calls the API as the user. */
async function call(method, at, body, headers = { 'content-type': 'application/json' }) {
  const answer = await fetch(`${url}/api/v1${at}`, {
    method,
    duplex: 'half',
    headers: { ...headers, authorization: `Bearer ${token}` },
    body: headers['content-type'] === 'application/json' && body ? JSON.stringify(body) : body,
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${at}: ${answer.status} ${text.slice(0, 400)}`);
  return JSON.parse(text);
}

async function logIn() {
  const answer = await fetch(`${url}/api/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  return (await answer.json()).token;
}

/** Imports the members, with a line of progress every few seconds. */
async function importMembers() {
  const folder = mkdtempSync(path.join(tmpdir(), 'console-speed-'));
  const file = path.join(folder, 'members.csv');
  const row = (n) => `S${n},First${n % 1000},Last${n % 7919},s${n}@example.com,demo`;
  const rows = Array.from({ length: members }, (_, n) => row(n));
  writeFileSync(file, ['loyaltyID,firstName,lastName,email,program', ...rows, ''].join('\n'));
  const { _id } = await call('POST', '/imports?kind=members', createReadStream(file), { 'content-type': 'text/csv' });
  rmSync(folder, { recursive: true });
  for (;;) {
    const { status, rows: done } = await call('GET', `/imports/${_id}`);
    console.log(`${done} members, ${status}`);
    if (!['Pending', 'Queued', 'Waiting', 'Running'].includes(status)) return;
    await sleep(10_000);
  }
}

/** Publishes the rules in files of 100. Most of them ask for a value that no purchase has. */
async function publishRules() {
  const rule = (n) => ({
    key: `speed-${n}`,
    name: `Points at store ${n}`,
    status: 'active',
    activityTypes: ['Accrual'],
    priority: 1 + (n % 90),
    conditions: { all: [{ fact: 'activity', path: '$.partnerCode', operator: 'equal', value: `SPEED-${n}` }] },
    actions: [{ type: 'addPoints', purse: 'Points', points: (n % 9) + 1 }],
  });
  const files = Array.from({ length: rules / 100 }, (_, file) => ({
    path: `demo/speed-${file}.json`,
    text: JSON.stringify(Array.from({ length: 100 }, (_each, n) => rule(file * 100 + n))),
  }));
  await call('POST', '/rules/publish', { files });
}

const token = await logIn();
if (fill === '--fill') {
  await publishRules();
  await importMembers();
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});

/** Opens a window; `slower` is how many times slower its processor is. */
async function open(slower = 1) {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: slower });
  return page;
}

async function signIn(page) {
  await page.goto(`${url}/console/`);
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
}

/** Milliseconds of an action. */
async function timed(action) {
  const begin = performance.now();
  await action();
  return performance.now() - begin;
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** How long it takes until what was typed into the form to sign in stands there. */
async function measureInteractive() {
  const times = [];
  for (let turn = 0; turn < 5; turn += 1) {
    const page = await open(4);
    times.push(
      await timed(async () => {
        await page.goto(`${url}/console/`, { waitUntil: 'commit' });
        await page.getByLabel('Username').fill('somebody');
      }),
    );
    await page.context().close();
  }
  tell('form to sign in, at a quarter of the processor, ms', median(times), limits.interactive);
}

/** Turns pages of the list of members, and finds members by a name and by an id. */
async function measureMembers(page) {
  await page.goto(`${url}/console/members`);
  const first = page.locator('table tbody tr').first();
  await first.waitFor();
  const turned = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const before = await first.textContent();
    turned.push(
      await timed(async () => {
        await page.getByRole('link', { name: 'Next', exact: true }).click();
        await page.waitForFunction(
          (old) => {
            const row = document.querySelector('table tbody tr');
            return row !== null && row.textContent !== old;
          },
          before,
          { polling: 'raf' },
        );
      }),
    );
  }
  tell(`next page of members, median of ${turns}, ms`, median(turned), limits.page);
}

/** Opens rules from the list of all. */
async function measureRules(page) {
  const times = [];
  for (const key of ['speed-1007', 'speed-1777', 'speed-1999', 'speed-1042', 'speed-1524']) {
    await page.goto(`${url}/console/rules?search=${key}`);
    const link = page.getByRole('link', { name: `Points at store ${key.slice(6)}`, exact: true });
    await link.waitFor();
    times.push(
      await timed(async () => {
        await link.click();
        await page.getByRole('heading', { level: 1, name: `Points at store ${key.slice(6)}`, exact: true }).waitFor();
        await page.getByLabel('Name', { exact: true }).first().waitFor();
      }),
    );
  }
  tell('a rule of 2,000 with its form, median of 5, ms', median(times), limits.rule);
}

await measureInteractive();
const page = await open();
await signIn(page);
await measureMembers(page);
await measureRules(page);
await browser.close();
process.exitCode = failed === 0 ? 0 : 1;
