import { readFileSync } from 'node:fs';
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** Debian's Chromium, unless the environment names another one. */
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** How long a page may take to show what a test waits for, in milliseconds. Waiting ends as soon as it is there. */
const shownMaxMs = 30_000;

const fullWindow = { width: 1280, height: 900 };
const narrowWindow = { width: 400, height: 800 };

/** What `look` finds on a page that is as it should be. */
export const fine = { light: [], dark: [], width: narrowWindow.width };

/** How long a page may take to fit a narrower window, in milliseconds. */
const fittedMaxMs = 5000;

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** A window of the browser with its own session, and what went wrong in it. */
export interface Browsing {
  page: Page;
  /** Opens a path below `/console` and waits until its heading is there. */
  go(path: string): Promise<void>;
  /** Begins with this session, without the page to sign in. */
  beginAs(session: { token: string; username: string; permissions: readonly string[] }): Promise<void>;
  /** What axe finds on the page, as `rule: selector`. */
  violations(): Promise<string[]>;
  /** What axe finds on the page in the light and the dark theme, and how wide the page is in a window of 400 pixels. */
  look(): Promise<{ light: string[]; dark: string[]; width: number }>;
  /** Errors of the browser's console, of the policy and of scripts so far, and requests to other hosts. */
  faults: string[];
  close(): Promise<void>;
}

/** A browser that opens windows at a service. */
export interface OpenBrowser {
  open(options?: BrowserContextOptions): Promise<Browsing>;
  close(): Promise<void>;
}

/** Starts a browser. */
export async function openBrowser(url: string): Promise<OpenBrowser> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  return {
    async open(options = {}) {
      const context = await browser.newContext({ locale: 'en-US', viewport: fullWindow, ...options });
      context.setDefaultTimeout(shownMaxMs);
      const page = await context.newPage();
      const faults = await watchFaults(page, url);
      return { ...handlesOf(page, url), page, faults, close: () => context.close() };
    },
    close: () => browser.close(),
  };
}

function handlesOf(page: Page, url: string): Pick<Browsing, 'go' | 'beginAs' | 'violations' | 'look'> {
  return {
    async violations() {
      await settled(page);
      return violationsOn(page);
    },
    async go(path) {
      await page.goto(`${url}/console${path}`);
      await page.locator('h1').waitFor();
    },
    async beginAs(session) {
      await page.addInitScript(
        (text) => {
          if (sessionStorage.length === 0) sessionStorage.setItem('loyalty-console-session', text);
        },
        JSON.stringify({ ...session, isOidc: false }),
      );
    },
    async look() {
      await settled(page);
      const light = await violationsOn(page);
      await toggleTheme(page);
      const dark = await violationsOn(page, ofColours);
      await toggleTheme(page);
      const size = page.viewportSize() ?? fullWindow;
      await page.setViewportSize(narrowWindow);
      const width = await settledWidth(page);
      await page.setViewportSize(size);
      return { light, dark, width };
    },
  };
}

/** Waits until the page asks nothing any more: what is shown while it loads goes by itself. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
}

/** How wide the page is when it has followed a change of the window: tables and menus take some frames for it. */
async function settledWidth(page: Page): Promise<number> {
  const isFitted = () => document.documentElement.scrollWidth === window.innerWidth;
  await page.waitForFunction(isFitted, undefined, { timeout: fittedMaxMs }).catch(() => undefined);
  return page.evaluate(() => document.documentElement.scrollWidth);
}

/** Changes between light and dark, and waits until no colour changes any more. */
async function toggleTheme(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Toggle light/dark mode' }).click();
  await page.mouse.move(0, 0);
  await page.waitForFunction(() => document.getAnimations().every((each) => !(each instanceof CSSTransition)));
}

/** The rules of axe that a theme can break. The others are about the same document in every theme. */
const ofColours = ['color-contrast', 'link-in-text-block'];

/** What axe finds by some rules, by default by all. */
async function violationsOn(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.evaluate(axe);
  const found = await page.evaluate(
    (runOnly) =>
      Reflect.get(globalThis, 'axe').run(document, { resultTypes: ['violations'], ...(runOnly && { runOnly }) }),
    rules,
  );
  const { violations } = found as { violations: { id: string; nodes: { target: string[] }[] }[] };
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

/** Notes everything that a page must not do. */
async function watchFaults(page: Page, url: string): Promise<string[]> {
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !isRefusal(message.text()))
      faults.push(`console: ${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) faults.push(`request: ${request.url()}`);
  });
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`policy: ${violatedDirective} ${blockedURI}`);
    });
  });
  return faults;
}

/** Chromium itself writes a line for each answer of 400 and above; tests look at what the page says about those. */
function isRefusal(text: string): boolean {
  return text.startsWith('Failed to load resource: the server responded with a status of 4');
}
