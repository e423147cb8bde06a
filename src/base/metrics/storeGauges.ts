import type { Connection } from 'mongoose';
import { Gauge } from 'prom-client';
import { type Clock, elapsedMs } from '#base/common/clock';
import { throttled } from '#base/common/throttled';
import { withinTime } from '#base/common/withinTime';

/** Limits of reading the stores for a scrape, in milliseconds. Reads give the limit `queryMs` to the database. */
export const storeGaugeLimits = { everyMs: 2000, waitMs: 1500, queryMs: 1000 } as const;

/** What gauges are read from. */
export interface GaugeSource {
  db: Connection;
  clock: Clock;
  /** When this process opened the database, by `clock`. */
  openedAt: Date;
}

/** One value of a gauge with its labels. */
export interface GaugeValue {
  labels?: Record<string, string>;
  value: number;
}

/** Gauges whose values are in the database. One read gives the values of all of them. */
export interface StoreGauges {
  gauges: Readonly<Record<string, { help: string; labelNames?: readonly string[] }>>;
  /** Reads the values by name. A gauge without values shows none. Its queries take at most `queryMs` each. */
  read(source: GaugeSource): Promise<Readonly<Record<string, readonly GaugeValue[]>>>;
  /** Milliseconds between two reads, when that is more than `everyMs`. */
  everyMs?: number;
}

/** The databases that the gauges show. A process has one, a test may have several. */
const shown = new Set<GaugeSource>();

/** How each kind of gauges that was shown is read again. */
const readers = new Map<StoreGauges, Reader>();

interface Shown {
  gauge: Gauge;
  hasLabels: boolean;
}

interface Reader {
  collect(): Promise<void>;
  /** Drops what was read, so that the next scrape reads again. */
  forget(): void;
  /** When the values were read last, as a value of `elapsedMs`. */
  readAt(): number;
}

/**
 * Shows values of a database in the metrics of the process. A scrape reads them when the last read is older than
 * `everyMs`. It waits at most `waitMs`; without an answer the gauges keep their values, because the other metrics are
 * needed most then.
 * @returns a function that ends this
 */
export function showStoreGauges(list: readonly StoreGauges[], source: GaugeSource): () => void {
  for (const each of list) if (!readers.has(each)) readers.set(each, register(each));
  const forgetAll = () => readers.forEach((reader) => void reader.forget());
  shown.add(source);
  forgetAll();
  return () => {
    shown.delete(source);
    forgetAll();
  };
}

function register(store: StoreGauges): Reader {
  const { gauges, read } = store;
  const made = new Map<string, Shown>();
  let readAt = elapsedMs();
  const readAll = async () => {
    const found = await Promise.all([...shown].map(read));
    for (const [name, each] of made)
      fill(
        each,
        found.flatMap((values) => values[name] ?? []),
      );
    readAt = elapsedMs();
  };
  const look = () => throttled(Math.max(store.everyMs ?? 0, storeGaugeLimits.everyMs), readAll);
  let present = look();
  const collect = async () => void (await withinTime(storeGaugeLimits.waitMs, present()));
  for (const [name, { help, labelNames = [] }] of Object.entries(gauges)) {
    const each = { gauge: new Gauge({ name, help, labelNames, collect }), hasLabels: labelNames.length > 0 };
    made.set(name, each);
    fill(each, []);
  }
  const forget = () => {
    present = look();
  };
  return { collect, forget, readAt: () => readAt };
}

function fill({ gauge, hasLabels }: Shown, values: readonly GaugeValue[]): void {
  gauge.reset();
  // After a reset a gauge without labels is 0, which is a value that nobody has read.
  if (!hasLabels) gauge.remove();
  for (const { labels = {}, value } of values) gauge.set(labels, value);
}

const age: Gauge = new Gauge({
  name: 'loyalty_store_gauges_age_seconds',
  help: 'Age of the oldest value among the gauges that are read from the database at a scrape',
  async collect() {
    const all = [...readers.values()];
    await Promise.all(all.map((reader) => reader.collect()));
    age.set(Math.max(0, ...all.map((reader) => elapsedMs() - reader.readAt())) / 1000);
  },
});
