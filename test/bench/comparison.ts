import type { Baseline } from './baseline';
import type { Posted } from './posts';
import type { Rate, Seconds } from './rate';

/** The result of one slice: its rate, the latencies of posts in milliseconds, and a note for the table. */
type Measured = Pick<Rate, 'perSecond'> & Partial<Pick<Posted, 'p50' | 'p99'>> & { note?: string };

/** Compares each row with (a) measured at the same time, because the speed of a machine changes within minutes. */
export interface Comparison {
  /**
   * Measures one row in `slices` slices, with (a) measured after each. The first slice has the whole warm-up, every
   * other slice a fifth of it. The slices share the measured seconds equally.
   */
  measure(what: string, slices: number, run: (seconds: Seconds) => Promise<Measured>): Promise<void>;
  /**
   * Returns the table. The rate of a row is the mean of its slices, and a latency is the highest of its slices. The
   * ratio is to the mean of (a) before, between and after the slices. The first row is the mean and the range of (a).
   */
  table(): string[];
}

interface Row {
  what: string;
  slices: Measured[];
  /** Mean rate of (a) per second while the row was measured. */
  base: number;
}

/** Measures (a) for the first time and returns a comparison with it. */
export async function compareWithBaseline(
  baseline: Baseline,
  seconds: Seconds,
  say: (line: string) => void,
): Promise<Comparison> {
  // After the first measurement, (a) is warm and needs less time.
  const again = { warmUp: seconds.warmUp / 5, measured: seconds.measured / 3 };
  const measureBaseline = async (how: Seconds) => (await baseline.measure(how)).perSecond;
  say(`(a) baseline: 64 transactions in flight, ${seconds.warmUp} s + ${seconds.measured} s`);
  const bases = [await measureBaseline(seconds)];
  const rows: Row[] = [];
  return {
    async measure(what, count, run) {
      const slices: Measured[] = [];
      for (let n = 0; n < count; n += 1) {
        say(count === 1 ? what : `${what} (${n + 1} of ${count})`);
        const warmUp = n === 0 ? seconds.warmUp : again.warmUp;
        slices.push(await run({ warmUp, measured: seconds.measured / count }));
        bases.push(await measureBaseline(again));
      }
      rows.push({ what, slices, base: meanOf(bases.slice(-count - 1)) });
    },
    table() {
      const mean = meanOf(bases);
      const range = `${Math.round(Math.min(...bases))} to ${Math.round(Math.max(...bases))}`;
      const what = `(a) one driver transaction per activity, 64 in flight (${bases.length} times: ${range})`;
      return [
        '| what | per second | ratio to (a) | p50 ms | p99 ms |',
        '|---|---:|---:|---:|---:|',
        ...[{ what, slices: [{ perSecond: mean }], base: mean }, ...rows].map(rowOf),
      ];
    },
  };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function rowOf({ what, slices, base }: Row): string {
  const perSecond = meanOf(slices.map((slice) => slice.perSecond));
  const [p50, p99] = (['p50', 'p99'] as const).map((name) => highestOf(slices.map((slice) => slice[name])));
  const notes = slices.map(({ note = '' }) => note).join('');
  return `| ${what}${notes} | ${Math.round(perSecond)} | ${(perSecond / base).toFixed(2)} | ${p50} | ${p99} |`;
}

function highestOf(latencies: readonly (number | undefined)[]): number | '' {
  const known = latencies.filter((latency) => latency !== undefined);
  return known.length > 0 ? Math.max(...known) : '';
}
