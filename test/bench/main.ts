import { parseArgs } from 'node:util';
import { metricEventsResource } from '../../src/aggregates/metricEvents';
import { collectionOf } from '../../src/db/resource';
import { measureBaseline } from './baseline';
import { type BenchWorld, openBenchWorld } from './benchWorld';
import { measureAccepted, measureDrained, queuedLeft } from './inbox';
import { measurePosts } from './posts';
import type { Seconds } from './rate';
import { measureReads } from './reads';
import { measureRules } from './rules/measureRules';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    members: { type: 'string', default: '100000' },
    items: { type: 'string', default: '1000000' },
  },
});
const isQuick = options.quick;
const seconds: Seconds = isQuick ? { warmUp: 2, measured: 5 } : { warmUp: 10, measured: 30 };
const fewRules = 5;
const manyRules = 500;
const queued = isQuick ? 30_000 : 200_000;

/** Every bench by name: what it measures, as rows of a table. `posts` is meant when none is named. */
const benches: Record<string, () => Promise<string[]>> = {
  posts: measureAgainstBaseline,
  rules: () => measureRules({ rowMs: isQuick ? 1000 : 5000, say }),
  reads: () => measureReads({ members: Number(options.members), items: Number(options.items) }, seconds, say),
};

async function main(): Promise<void> {
  const bench = benches[positionals[0] ?? 'posts'];
  if (!bench) throw new Error(`There are the benches ${Object.keys(benches).join(', ')}`);
  const rows = await bench();
  process.stdout.write(`\n${rows.join('\n')}\n`);
}

/** Measures the service against one driver transaction per activity, on the same stores in the same run. */
async function measureAgainstBaseline(): Promise<string[]> {
  const world = await openBenchWorld(fewRules);
  try {
    return await measure(world);
  } finally {
    await world.close();
  }
}

async function measure(world: BenchWorld): Promise<string[]> {
  const api = await world.startApi();
  await measurePosts(world, api.url, 1, { warmUp: 1, measured: 1 });
  say(`(a) baseline: 64 transactions in flight, ${seconds.warmUp} s + ${seconds.measured} s`);
  const base = (await measureBaseline(world, seconds)).perSecond;
  const rows = [
    '| what | per second | ratio to (a) | p50 ms | p99 ms |',
    '|---|---:|---:|---:|---:|',
    row('(a) one driver transaction per activity, 64 in flight', base, base),
  ];
  for (const connections of [1, 16, 64]) {
    say(`(b) sync posts at ${connections} connections`);
    const posted = await measurePosts(world, api.url, connections, seconds);
    if (posted.failures > 0) throw new Error(`${posted.failures} posts failed`);
    rows.push(row(`(b) sync posts, ${connections} connections`, posted.perSecond, base, posted));
  }
  say(`(b) sync posts at 64 connections with ${manyRules} rules`);
  await world.useRules(manyRules);
  const ofMany = await measurePosts(world, api.url, 64, seconds);
  rows.push(row(`(b) sync posts, 64 connections, ${manyRules} rules`, ofMany.perSecond, base, ofMany));
  await world.useRules(fewRules);
  say('(b) sync posts at 64 connections with a worker rolling up');
  rows.push(await sustained(world, api.url, base));
  say(`(c) accepting ${queued} activities`);
  rows.push(row('(c) accepted, bulk posts of 1,000', (await measureAccepted(world, api.url, queued)).perSecond, base));
  await api.stop();
  say('(c) draining them');
  rows.push(row('(c) drained by one worker', (await measureDrained(world, seconds)).perSecond, base));
  if ((await queuedLeft(world)) === 0) throw new Error('the worker ran out of work while it was measured');
  return rows;
}

/** Posts while a worker rolls up, and how old the oldest activity is that aggregates do not show yet. */
async function sustained(world: BenchWorld, url: string, base: number): Promise<string> {
  const worker = await world.startWorker({ rollsUp: true });
  await rolledUp(world);
  const posted = await measurePosts(world, url, 64, seconds);
  const oldest = await collectionOf(world.services.db, metricEventsResource).findOne({}, { sort: { createdAt: 1 } });
  const lagMs = oldest ? Date.now() - oldest.createdAt.getTime() : 0;
  await worker.stop();
  const what = `(b) sync posts, 64 connections, roll-up running (lag ${(lagMs / 1000).toFixed(1)} s)`;
  return row(what, posted.perSecond, base, posted);
}

/** Waits until the worker has rolled up what was posted without one. */
async function rolledUp({ services }: BenchWorld): Promise<void> {
  say('rolling up what was posted so far');
  while (await collectionOf(services.db, metricEventsResource).findOne()) {
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

function row(what: string, perSecond: number, base: number, latency?: { p50: number; p99: number }): string {
  const ratio = (perSecond / base).toFixed(2);
  return `| ${what} | ${Math.round(perSecond)} | ${ratio} | ${latency?.p50 ?? ''} | ${latency?.p99 ?? ''} |`;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
