import type { Page, Route } from 'playwright-core';
import { leadTo, plainPages, recordPages, sharesOf } from './support/addresses';
import { type ConsoleWorld, openConsoleWorld } from './support/consoleWorld';

/** Ways in which a service gives no answer. */
const failures: Record<string, (route: Route) => Promise<void>> = {
  'the service is away': (route) =>
    route.fulfill({
      status: 503,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ status: 503, title: 'Service Unavailable', detail: 'A store is away', errors: [] }),
    }),
  'the connection breaks': (route) => route.abort('connectionreset'),
};

/** What no page may say unless the service has answered: a line that says that there is none, or no such page. */
const saysNothing = /^(There (is|are) no|No \w|None|none|Nothing|It moved no)/m;

const reads = (url: URL) => url.pathname.includes('/api/v1/') || url.pathname.endsWith('openapi.json');

/** Fails all reads of the API by a way, until the answer is called. */
async function failReads(page: Page, fail: (route: Route) => Promise<void>): Promise<() => Promise<void>> {
  await page.route(reads, (route) => (route.request().method() === 'GET' ? fail(route) : route.fallback()));
  return () => page.unroute(reads);
}

const isSoon = (shown: Promise<void>) =>
  shown.then(
    () => true,
    () => false,
  );
const tryAgain = (page: Page) => page.getByRole('button', { name: 'Try again' });

describe('an org with records', () => {
  let world: ConsoleWorld;
  let paths: string[];
  beforeAll(async () => {
    world = await openConsoleWorld();
    paths = [...plainPages, ...(await recordPages(world))];
  });
  afterAll(() => world.close());

  test.each(Object.keys(failures))(
    'when %s, every page says so instead of "there is none", and Try again works once the service is back',
    async (name) => {
      const wrong: unknown[] = [];
      const walk = async (own: readonly string[]) => {
        const { page, close } = await world.signedIn('admin', '/account');
        const restore = await failReads(page, failures[name] ?? ((route) => route.abort()));
        for (const path of own) {
          await leadTo(page, path);
          const isShown = await isSoon(tryAgain(page).waitFor());
          const text = (await page.locator('main').allInnerTexts()).join('\n');
          const [nothing] = saysNothing.exec(text) ?? [];
          if (!isShown || nothing) wrong.push({ path, isShown, nothing, text });
        }
        await restore();
        await tryAgain(page).click();
        expect(await isSoon(tryAgain(page).waitFor({ state: 'detached' }))).toBe(true);
        await close();
      };
      await Promise.all(sharesOf(paths).map(walk));
      expect(wrong).toEqual([]);
    },
  );
});

test('every page of an org without records says what is missing, and shows no fault', async () => {
  const world = await openConsoleWorld({ isEmpty: true });
  const { page, go, faults, close } = await world.signedIn('admin', '/account');
  for (const path of plainPages) {
    await leadTo(page, path);
    await page.waitForLoadState('networkidle');
    expect([path, await tryAgain(page).count()]).toEqual([path, 0]);
  }
  await go('/');
  await page.getByText('There is no program yet').first().waitFor();
  expect(faults).toEqual([]);
  await close();
  await world.close();
});
