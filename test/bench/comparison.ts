import type { Posted } from './posts';
import type { Rate, Seconds } from './rate';

/** The result of one slice: its rate, the latencies of posts in milliseconds, and a note for the table. */
type Measured = Pick<Rate, 'perSecond'> & Partial<Pick<Posted, 'p50' | 'p99'>> & { note?: string };

/** Measures something once. */
export type Measurement = (seconds: Seconds) => Promise<Measured>;

/** Compares rows with others that are measured in turns with them: the speed of a machine changes within minutes. */
export interface Comparison {
  /**
   * Measures one row in `slices` slices, and each of the others before the first slice and after each. The first
   * slice has the whole warm-up, every other slice a fifth of it. The slices share the measured seconds equally.
   */
  measure(what: string, row: Row): Promise<void>;
  /** Returns the table: rates are means of their slices, latencies the highest of their slices. */
  table(): string[];
}

/** How a row is measured, and with what it is compared. */
export interface Row {
  slices: number;
  run: Measurement;
  /** By the name of its column. */
  others: Readonly<Record<string, Measurement>>;
}

/** The fewest seconds in which another is measured: a post of a slow one takes seconds at 256 connections. */
const othersMin = 5;

interface Compared {
  what: string;
  slices: readonly Measured[];
  /** The mean rate of each other. */
  others: Readonly<Record<string, number>>;
}

/** Opens a comparison whose table has a column of ratios for each of these names. */
export function openComparison(names: readonly string[], seconds: Seconds, say: (line: string) => void): Comparison {
  const compared: Compared[] = [];
  return {
    async measure(what, { slices: count, run, others }) {
      const slices: Measured[] = [];
      const rates = Object.fromEntries(Object.keys(others).map((name) => [name, [] as number[]]));
      const measureOthers = async (warmUp: number) => {
        for (const [name, measure] of Object.entries(others)) {
          rates[name]?.push((await measure({ warmUp, measured: Math.max(othersMin, seconds.measured / 3) })).perSecond);
        }
      };
      await measureOthers(seconds.warmUp);
      for (let n = 0; n < count; n += 1) {
        say(count === 1 ? what : `${what} (${n + 1} of ${count})`);
        const warmUp = n === 0 ? seconds.warmUp : seconds.warmUp / 5;
        slices.push(await run({ warmUp, measured: seconds.measured / count }));
        await measureOthers(seconds.warmUp / 5);
      }
      const means = Object.entries(rates).map(([name, all]) => [name, meanOf(all)] as const);
      compared.push({ what, slices, others: Object.fromEntries(means) });
    },
    table: () => [
      `| what | per second | ${names.map((name) => `${name} | ratio | `).join('')}p50 ms | p99 ms |`,
      `|---|---:|${'---:|---:|'.repeat(names.length)}---:|---:|`,
      ...compared.map((row) => lineOf(row, names)),
    ],
  };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function lineOf({ what, slices, others }: Compared, names: readonly string[]): string {
  const perSecond = meanOf(slices.map((slice) => slice.perSecond));
  const ratios = names.map((name) => {
    const rate = others[name];
    return rate === undefined ? ' |  | ' : `${Math.round(rate)} | ${(perSecond / rate).toFixed(2)} | `;
  });
  const [p50, p99] = (['p50', 'p99'] as const).map((name) => highestOf(slices.map((slice) => slice[name])));
  const notes = slices.map(({ note = '' }) => note).join('');
  return `| ${what}${notes} | ${Math.round(perSecond)} | ${ratios.join('')}${p50} | ${p99} |`;
}

function highestOf(latencies: readonly (number | undefined)[]): number | '' {
  const known = latencies.filter((latency) => latency !== undefined);
  return known.length > 0 ? Math.max(...known) : '';
}
