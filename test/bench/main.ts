import { parseArgs } from 'node:util';
import { collectionOf } from '#base/db/collections';
import { metricEventsResource } from '#records/aggregates/metricEvents';
import { openBaseline } from './baseline';
import { type BenchWorld, openBenchWorld } from './benchWorld';
import { compareWithBaseline } from './comparison';
import { measureFindMembers } from './findMembers';
import { measureImports } from './imports';
import { measureAccepted, measureDrained, queuedLeft } from './inbox';
import { measurePosts, type Posted } from './posts';
import type { Seconds } from './rate';
import { measureReads } from './reads';
import { measureRules } from './rules/measureRules';
import { measureScale, type ScaleOptions } from './scale';
import { measureStorage } from './storage';
import { measureTurns } from './turns';
import { measureWalk } from './walk';
import { measureWebhooks } from './webhooks';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    members: { type: 'string', default: '100000' },
    items: { type: 'string', default: '1000000' },
    against: { type: 'string', default: '' },
    turns: { type: 'string', default: '20' },
    load: { type: 'string', default: '' },
    fleets: { type: 'string', default: '' },
    apart: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '' },
    seconds: { type: 'string', default: '' },
  },
});
const isQuick = options.quick;
const seconds: Seconds = isQuick ? { warmUp: 2, measured: 5 } : { warmUp: 10, measured: 30 };
const fewRules = 5;
const manyRules = 500;
const queued = isQuick ? 60_000 : 300_000;

/** Every bench by name; each returns the rows of its table. The default is `posts`. */
const benches: Record<string, () => Promise<string[]>> = {
  posts: measureAgainstBaseline,
  rules: () => measureRules({ rowMs: isQuick ? 1000 : 5000, say }),
  reads: () => measureReads({ members: Number(options.members), items: Number(options.items) }, seconds, say),
  storage: () => measureStorage(isQuick ? 5000 : 20_000, say),
  findMember: () => measureFindMembers(Number(options.members), seconds, say),
  import: () => measureImports(Number(options.members), seconds, say),
  walk: measureWalk,
  webhooks: () => measureWebhooks(isQuick ? 1000 : 5000, seconds, say),
  scale: () => measureScale(scaleOptions(), say),
  turns: () => measureTurns({ against: options.against, turns: Number(options.turns) }, seconds, say),
};

function scaleOptions(): ScaleOptions {
  return {
    rounds: Number(options.rounds || (isQuick ? 1 : 3)),
    seconds: Number(options.seconds || (isQuick ? 5 : 10)),
    only: options.load,
    fleets: options.fleets,
    isApart: options.apart,
  };
}

async function main(): Promise<void> {
  const bench = benches[positionals[0] ?? 'posts'];
  if (!bench) throw new Error(`There are the benches ${Object.keys(benches).join(', ')}`);
  const rows = await bench();
  process.stdout.write(`\n${rows.join('\n')}\n`);
}

/** Compares the service with one driver transaction per activity, on the same stores in the same run. */
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
  await posted(world, api.url, 1, { warmUp: 1, measured: 1 });
  const baseline = await openBaseline(world);
  const compared = await compareWithBaseline(baseline, seconds, say);
  for (const connections of [1, 16, 64]) {
    const what = `(b) sync posts, ${connections} connection${connections === 1 ? '' : 's'}`;
    await compared.measure(what, 3, (slice) => posted(world, api.url, connections, slice));
  }
  await world.useRules(manyRules);
  const manyRulesRow = `(b) sync posts, 64 connections, ${manyRules} rules`;
  await compared.measure(manyRulesRow, 3, (slice) => posted(world, api.url, 64, slice));
  await world.useRules(fewRules);
  // One slice only: between slices the worker would catch up.
  const sustainedRow = '(b) sync posts, 64 connections, roll-up running';
  await compared.measure(sustainedRow, 1, (whole) => sustained(world, api.url, whole));
  await compared.measure('(c) accepted, bulk posts of 1,000', 1, () => measureAccepted(world, api.url, queued));
  await api.stop();
  // Each slice starts a new worker, which needs the whole warm-up.
  const { warmUp } = seconds;
  await compared.measure('(c) drained by one worker', 3, (slice) => measureDrained(world, { ...slice, warmUp }));
  if ((await queuedLeft(world)) === 0) throw new Error('the worker ran out of work while it was measured');
  await baseline.close();
  return compared.table();
}

async function posted(world: BenchWorld, url: string, connections: number, of: Seconds): Promise<Posted> {
  const result = await measurePosts(world, url, connections, of);
  if (result.failures > 0) throw new Error(`${result.failures} posts failed`);
  return result;
}

/** Measures posts while a worker rolls up. The note is the age of the oldest activity that is not yet rolled up. */
async function sustained(world: BenchWorld, url: string, of: Seconds): Promise<Posted & { note: string }> {
  const worker = await world.startWorker({ rollsUp: true });
  await rolledUp(world);
  const result = await posted(world, url, 64, of);
  const oldest = await collectionOf(world.services.db, metricEventsResource).findOne({}, { sort: { createdAt: 1 } });
  const lagMs = oldest ? Date.now() - oldest.createdAt.getTime() : 0;
  await worker.stop();
  return { ...result, note: ` (lag ${(lagMs / 1000).toFixed(1)} s)` };
}

/** Waits until the worker has rolled up the activities that were posted before it started. */
async function rolledUp({ services }: BenchWorld): Promise<void> {
  say('rolling up what was posted so far');
  while (await collectionOf(services.db, metricEventsResource).findOne()) {
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
