import { scrape } from '../support/scrape';
import type { BenchWorld, StartedServer } from './benchWorld';
import { processorMsOf } from './processorMsOf';

/** Counts so far, over all processes. */
export interface Counters {
  apiMs: number;
  workerMs: number;
  storesMs: number;
  commits: number;
  retries: number;
  conflicts: number;
  /** Activities that were committed in groups, and how many groups. */
  grouped: number;
  groups: number;
}

/** Reads the counts and the processor time of all processes. */
export async function countersOf(
  world: BenchWorld,
  apis: readonly StartedServer[],
  workers: readonly StartedServer[],
): Promise<Counters> {
  const scrapes = await Promise.all([...apis, ...workers].map(({ url }) => scrape(url)));
  const sum = (metric: string, ending = '') =>
    scrapes.reduce((total, metrics) => {
      const series = [...(metrics.get(metric)?.values ?? [])].filter(([name]) => name.startsWith(metric + ending));
      return total + series.reduce((own, [, value]) => own + value, 0);
    }, 0);
  const timeOf = (pids: readonly number[]) => pids.reduce((total, pid) => total + processorMsOf(pid), 0);
  return {
    apiMs: timeOf(apis.map(({ pid }) => pid)),
    workerMs: timeOf(workers.map(({ pid }) => pid)),
    storesMs: timeOf(world.storePids),
    commits: sum('loyalty_commit_duration_seconds', '_count'),
    retries: sum('loyalty_commit_retries_total'),
    conflicts: sum('loyalty_commit_conflicts_total'),
    grouped: sum('loyalty_batch_size', '_sum'),
    groups: sum('loyalty_batch_size', '_count'),
  };
}
