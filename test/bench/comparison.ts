import { prepareBaseline } from './baseline';
import type { BenchWorld } from './benchWorld';
import type { Posted } from './posts';
import type { Rate, Seconds } from './rate';

/** What a row of the table shows: a rate, of posts with their latencies. */
type Measured = Pick<Rate, 'perSecond'> | Posted;

/** Rows of a table, each compared with (a) as it was then: the machine gets faster and slower within minutes. */
export interface Comparison {
  /** Measures one row, and the baseline (a) again after it. */
  measure(what: string, run: () => Promise<Measured | [Measured, string]>): Promise<void>;
  /**
   * The table. The ratio of a row is to the mean of (a) right before and right after it; the first row tells the mean,
   * lowest and highest of all.
   */
  table(): string[];
}

interface Row {
  what: string;
  measured: Measured;
  /** Of (a) per second, when the row was measured. */
  base: number;
}

/** Measures (a) and makes a comparison with it. */
export async function compareWithBaseline(
  world: BenchWorld,
  seconds: Seconds,
  say: (line: string) => void,
): Promise<Comparison> {
  // Its code is warm after the first time.
  const again = { warmUp: seconds.warmUp / 5, measured: seconds.measured / 3 };
  const measureBaseline = await prepareBaseline(world);
  const baseline = async (how: Seconds) => (await measureBaseline(how)).perSecond;
  say(`(a) baseline: 64 transactions in flight, ${seconds.warmUp} s + ${seconds.measured} s`);
  const bases = [await baseline(seconds)];
  const rows: Row[] = [];
  return {
    async measure(what, run) {
      say(what);
      const result = await run();
      const [measured, note] = Array.isArray(result) ? result : [result, ''];
      bases.push(await baseline(again));
      rows.push({ what: `${what}${note}`, measured, base: meanOf(bases.slice(-2)) });
    },
    table() {
      const mean = meanOf(bases);
      const range = `${Math.round(Math.min(...bases))} to ${Math.round(Math.max(...bases))}`;
      const what = `(a) one driver transaction per activity, 64 in flight (${bases.length} times: ${range})`;
      return [
        '| what | per second | ratio to (a) | p50 ms | p99 ms |',
        '|---|---:|---:|---:|---:|',
        ...[{ what, measured: { perSecond: mean }, base: mean }, ...rows].map(rowOf),
      ];
    },
  };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function rowOf({ what, measured, base }: Row): string {
  const { perSecond } = measured;
  const [p50, p99] = 'p50' in measured ? [measured.p50, measured.p99] : ['', ''];
  return `| ${what} | ${Math.round(perSecond)} | ${(perSecond / base).toFixed(2)} | ${p50} | ${p99} |`;
}
