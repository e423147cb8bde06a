import { existsSync } from 'node:fs';
import path from 'node:path';
import { openBenchWorld } from './benchWorld';
import { measurePosts } from './posts';
import { processorMsOf } from './processorMsOf';
import type { Seconds } from './rate';

/** A comparison with another commit. */
export interface Turns {
  /** Folder of the other checkout, which must be built. */
  against: string;
  /** How often each commit is measured. */
  turns: number;
  /** Connections that post at once. */
  connections: number;
}

/** The result of one turn. */
interface Turn {
  perSecond: number;
  /** Processor time of the API process, in milliseconds per post. */
  processorMs: number;
}

/**
 * Compares sync posts of this commit and of another one on the same stores. Both take turns, because the speed of a
 * machine changes within minutes. Each turn reverses the order of the two.
 * @returns rows of a table
 * @throws Error when the other checkout is not built, or a post fails
 */
export async function measureTurns(
  { against, turns, connections }: Turns,
  seconds: Seconds,
  say: (line: string) => void,
) {
  const other = path.resolve(against);
  if (!existsSync(path.join(other, 'dist', 'src'))) throw new Error(`${other} is not built`);
  const world = await openBenchWorld();
  try {
    const apis = { this: await world.startApi(), other: await world.startApi(other) };
    const results = { this: [] as Turn[], other: [] as Turn[] };
    const measure = async (which: 'this' | 'other', each: Seconds): Promise<Turn> => {
      const { url, pid } = apis[which];
      const before = processorMsOf(pid);
      const { perSecond, failures } = await measurePosts(world, url, connections, each);
      if (failures > 0) throw new Error(`${failures} posts to ${which} failed`);
      const posts = perSecond * (each.measured + each.warmUp);
      return { perSecond, processorMs: (processorMsOf(pid) - before) / posts };
    };
    for (const which of ['this', 'other'] as const) await measure(which, { warmUp: 1, measured: seconds.warmUp });
    for (let n = 0; n < turns; n += 1) {
      const order = n % 2 === 0 ? (['this', 'other'] as const) : (['other', 'this'] as const);
      for (const which of order) results[which].push(await measure(which, { warmUp: 1, measured: 3 }));
      say(`turn ${n + 1} of ${turns}: ${['this', 'other'].map((which) => reported(results, which)).join(', ')}`);
    }
    await apis.this.stop();
    await apis.other.stop();
    return [
      `| sync posts, ${connections} at once | this / other | standard error |`,
      '|---|---:|---:|',
      ...rowsOf(results),
    ];
  } finally {
    await world.close();
  }
}

function reported(results: Record<string, Turn[]>, which: string): string {
  const last = results[which]?.at(-1);
  return `${which} ${Math.round(last?.perSecond ?? 0)}/s ${last?.processorMs.toFixed(3)} ms`;
}

function rowsOf(results: { this: Turn[]; other: Turn[] }): string[] {
  return (['perSecond', 'processorMs'] as const).map((name) => {
    const ratios = results.this.map((turn, n) => turn[name] / (results.other[n]?.[name] ?? Number.NaN));
    const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
    const variance = ratios.reduce((sum, ratio) => sum + (ratio - mean) ** 2, 0) / (ratios.length - 1);
    const what = name === 'perSecond' ? 'posts a second' : 'processor time a post';
    return `| ${what} | ${mean.toFixed(3)} | ${Math.sqrt(variance / ratios.length).toFixed(3)} |`;
  });
}
