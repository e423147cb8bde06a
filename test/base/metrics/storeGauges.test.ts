import { register } from 'prom-client';
import { type GaugeSource, type StoreGauges, showStoreGauges, storeGaugeLimits } from '#base/metrics/storeGauges';
import { parseScrape, valueIn } from '../../support/scrape';

let made = 0;
const ended: (() => void)[] = [];

/** Gauges of one metric; the test decides what each read does. */
function gaugesOf(read: () => Promise<number>) {
  made += 1;
  const name = `test_store_gauge_${made}`;
  const gauges: StoreGauges = {
    gauges: { [name]: { help: 'of a test' } },
    read: async () => ({ [name]: [{ value: await read() }] }),
  };
  const hide = showStoreGauges([gauges], {} as GaugeSource);
  const shown = async () =>
    parseScrape(await register.metrics())
      .get(name)
      ?.values.get(name);
  ended.push(hide, () => register.removeSingleMetric(name));
  return shown;
}

const setLimits = (limits: Partial<Record<keyof typeof storeGaugeLimits, number>>) => {
  for (const [key, value] of Object.entries(limits)) {
    jest.replaceProperty(storeGaugeLimits as Record<string, number>, key, value);
  }
};
// Services that an earlier file left for the next one would be read too.
beforeAll(() => globalThis.endSpareServices?.());
afterEach(() => {
  jest.restoreAllMocks();
  for (const end of ended.splice(0)) end();
});

test('the store is read once per period, however often it is scraped', async () => {
  // Longer than any machine takes for twenty scrapes.
  setLimits({ everyMs: 600_000 });
  let reads = 0;
  const shown = gaugesOf(async () => ++reads);
  for (let n = 0; n < 20; n += 1) expect(await shown()).toBe(1);
});

test('a read that hangs delays a scrape by its limit only, is not repeated, and the value stays', async () => {
  setLimits({ waitMs: 20, everyMs: 0 });
  const reads: (() => void)[] = [];
  let isHanging = false;
  let value = 0;
  const shown = gaugesOf(async () => {
    if (isHanging) await new Promise<void>((resolve) => reads.push(resolve));
    return ++value;
  });
  expect(await shown()).toBe(1);
  isHanging = true;
  for (let n = 0; n < 5; n += 1) expect(await shown()).toBe(1);
  expect(reads).toHaveLength(1);
  isHanging = false;
  for (const release of reads) release();
  await new Promise((resolve) => setImmediate(resolve));
  expect(await shown()).toBeGreaterThan(1);
});

test('a failing read does not fail the scrape, and the age shows how old the values are', async () => {
  setLimits({ everyMs: 0 });
  let failure: Error | undefined = new Error('the store is away');
  const shown = gaugesOf(async () => {
    if (failure) throw failure;
    return 7;
  });
  expect(await shown()).toBeUndefined();
  const age = async () => valueIn(parseScrape(await register.metrics()), 'loyalty_store_gauges_age_seconds');
  const first = await age();
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await age()).toBeGreaterThan(first);
  failure = undefined;
  expect(await shown()).toBe(7);
  failure = new Error('away again');
  expect(await shown()).toBe(7);
});
