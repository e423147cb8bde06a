// Takes the pictures of docs/console from a running service: `node console/screenshots.mjs <url> <username> <password>`.
// Each page at 1280 and 400 pixels, light and dark.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';

const [url, username, password] = process.argv.slice(2);
if (!password) throw new Error('usage: node console/screenshots.mjs <url> <username> <password>');
const folder = path.join(import.meta.dirname, '../docs/console');
const pages = {
  overview: '/',
  members: '/members',
  rules: '/rules',
  definitions: '/definitions',
  operations: '/operations',
  audit: '/audit',
};

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const page = await browser.newPage({ locale: 'en-US' });
await page.goto(`${url}/console/`);
await page.getByLabel('Username').fill(username);
await page.getByLabel('Password').fill(password);
await page.getByRole('button', { name: 'Sign in' }).click();
await page.getByRole('navigation').first().waitFor();
mkdirSync(folder, { recursive: true });
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
      await page.screenshot({ path: path.join(folder, `${name}-${theme}-${width}.png`) });
    }
  }
}
await browser.close();
