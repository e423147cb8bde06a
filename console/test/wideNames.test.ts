import type { Page } from 'playwright-core';
import { leadTo, sharesOf } from './support/addresses';
import { type ConsoleWorld, openConsoleWorld } from './support/consoleWorld';

let world: ConsoleWorld;
let records: string[];

/** A text of 100 characters without a blank. */
const wide = (begin: string) => begin.padEnd(100, 'W');

beforeAll(async () => {
  world = await openConsoleWorld();
  records = await makeWideRecords();
});
afterAll(() => world.close());

/** Records of several kinds whose names have no blank, as the addresses of their pages. */
async function makeWideRecords(): Promise<string[]> {
  const api = world.server.as('admin');
  const made = async (kind: string, body: object) => {
    const answer = await api.post(`/${kind}`, body);
    expect([kind, answer.status, answer.body.errors ?? []]).toEqual([kind, 201, []]);
    return answer.body._id;
  };
  const [program] = (await api.get('/programs')).body;
  const own = { program: program._id };
  const bodies: Record<string, object> = {
    pursepolicies: { ...own, name: wide('Purse') },
    tierpolicies: { ...own, name: wide('Tier'), levels: [{ name: wide('Level'), number: 1, threshold: 0 }] },
    offers: { ...own, name: wide('Offer'), code: wide('O') },
    rewards: { ...own, name: wide('Reward'), code: wide('R') },
    products: { name: wide('Product'), sku: wide('S'), category: wide('Category'), brand: wide('Brand') },
    locations: { name: wide('Location'), number: wide('N'), tags: [wide('One'), wide('Two')] },
    partners: { name: wide('Partner'), code: wide('P') },
    segments: { name: wide('Segment') },
    namedlists: { name: wide('List') },
    enums: { type: wide('Type'), value: wide('Value'), label: wide('Label') },
    apikeys: { name: wide('Key').slice(0, 60), roles: ['reader'] },
  };
  const pages: string[] = [];
  for (const [kind, body] of Object.entries(bodies)) {
    pages.push(`/definitions/${kind}`, `/definitions/${kind}/${await made(kind, body)}`);
  }
  const names = { firstName: wide('First'), lastName: wide('Last'), email: `${'w'.repeat(60)}@example.com` };
  const loyaltyID = wide('L').slice(0, 64);
  const member = await made('members', { ...own, ...names, loyaltyID });
  const lineItems = [{ itemSKU: wide('S'), itemPrice: 12, quantity: 3 }];
  const posted = await api.post('/activity', { type: 'Accrual', srcChannelType: 'POS', loyaltyID, lineItems });
  return [
    ...pages,
    '/members',
    `/members/${member}`,
    `/activities/${posted.body.result.data.activityId}`,
    '/',
    '/audit',
    '/operations/refused',
  ];
}

/**
 * What is beyond the window: the page itself, or the head of a column, unless its table scrolls to it in a box within the
 * window; and columns that take a whole window.
 */
const beyond = (page: Page) =>
  page.evaluate(() => {
    const width = window.innerWidth;
    const heads = [...document.querySelectorAll('main th, main thead td')].filter((each) => each.clientWidth > 0);
    const named = (cells: Element[]) => cells.map((each) => each.textContent);
    const isNarrow = width < 1000;
    const scrolls = (box: Element) => ['auto', 'scroll'].includes(getComputedStyle(box).overflowX);
    const boxOf = (each: Element | null): Element | undefined =>
      each === null || each === document.body ? undefined : scrolls(each) ? each : boxOf(each.parentElement);
    const isReached = (head: Element) => {
      const { left, right } = head.getBoundingClientRect();
      if (left >= 0 && right <= width) return true;
      const box = isNarrow ? boxOf(head.parentElement) : undefined;
      if (!box) return false;
      const within = box.getBoundingClientRect();
      const end = right - within.left + box.scrollLeft;
      return within.left >= 0 && within.right <= width && end <= box.scrollWidth + 1;
    };
    return {
      page: Math.max(document.documentElement.scrollWidth, width) - width,
      heads: named(heads.filter((each) => !isReached(each))),
      columns: named(heads.filter((each) => each.getBoundingClientRect().width > width * (isNarrow ? 0.75 : 0.9))),
    };
  });

test('names without a blank push neither the page nor the columns beside them out of the window', async () => {
  const found: unknown[] = [];
  const walk = async (own: readonly string[]) => {
    const { page, close } = await world.signedIn('admin', '/account');
    for (const path of own) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await leadTo(page, path);
      await page.locator('h1', { hasNotText: 'Your password' }).waitFor();
      await page.waitForLoadState('networkidle');
      for (const width of [1440, 400]) {
        await page.setViewportSize({ width, height: 900 });
        await page.waitForTimeout(100);
        const pushed = await beyond(page);
        if (pushed.page > 0 || pushed.heads.length > 0 || pushed.columns.length > 0)
          found.push({ path, width, ...pushed });
      }
    }
    await close();
  };
  await Promise.all(sharesOf(records).map(walk));
  expect(found).toEqual([]);
});
