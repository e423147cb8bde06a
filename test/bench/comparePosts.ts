import { collectionOf } from '#base/db/collections';
import { metricEventsResource } from '#records/aggregates/metricEvents';
import { benchRules } from './benchRules';
import { type BenchWorld, openBenchWorld, type StartedServer } from './benchWorld';
import { type Measurement, openComparison } from './comparison';
import { measureAccepted, measureDrained, queuedLeft } from './inbox';
import { openMedici } from './medici';
import { openOrdinary } from './ordinary/openOrdinary';
import { measurePosts, type Posted } from './posts';
import type { Seconds } from './rate';

const rules = { few: 5, many: 500 } as const;

/** The columns of others: the ordinary design over HTTP, and bare entries of medici. */
const names = ['ordinary', 'medici'] as const;

/**
 * Compares the service with the ordinary design and with medici, in turns on the same stores.
 * @param queued activities that wait before they are drained
 */
export async function comparePosts(seconds: Seconds, queued: number, say: (line: string) => void): Promise<string[]> {
  const world = await openBenchWorld(rules.few);
  const medici = await openMedici(world);
  try {
    const ordinary = await openOrdinary(world, benchRules(rules.few));
    const api = await world.startApi();
    const compared = openComparison(names, seconds, say);
    const against = (connections: number, withMedici = false) => ({
      ordinary: postsTo(world, ordinary, connections),
      ...(withMedici ? { medici: (each: Seconds) => medici.measure(connections, each) } : {}),
    });
    for (const connections of [1, 16, 64, 256]) {
      const what = `sync posts, ${connections} connection${connections === 1 ? '' : 's'}`;
      const run = postsTo(world, api, connections);
      await compared.measure(what, { slices: 3, run, others: against(connections, true) });
    }
    await ordinary.stop();
    await world.useRules(rules.many);
    const slow = await openOrdinary(world, benchRules(rules.many));
    const manyRules = { slices: 3, run: postsTo(world, api, 64), others: { ordinary: postsTo(world, slow, 64) } };
    await compared.measure(`sync posts, 64 connections, ${rules.many} rules`, manyRules);
    await slow.stop();
    await world.useRules(rules.few);
    const again = await openOrdinary(world, benchRules(rules.few));
    const others = { ordinary: postsTo(world, again, 64) };
    // One slice only: between slices the worker would catch up.
    const rollingUp = { slices: 1, run: (whole: Seconds) => whileRollingUp(world, api, whole, say), others };
    await compared.measure('sync posts, 64 connections, roll-up running', rollingUp);
    const accepted = { slices: 1, run: () => measureAccepted(world, api.url, queued), others };
    await compared.measure('accepted, bulk posts of 1,000', accepted);
    await api.stop();
    // Each slice starts a new worker, which needs the whole warm-up.
    const drain: Measurement = (slice) => measureDrained(world, { ...slice, warmUp: seconds.warmUp });
    await compared.measure('drained by one worker', { slices: 3, run: drain, others });
    if ((await queuedLeft(world)) === 0) throw new Error('the worker ran out of work while it was measured');
    await again.stop();
    return compared.table();
  } finally {
    await medici.close();
    await world.close();
  }
}

function postsTo(world: BenchWorld, { url }: StartedServer, connections: number): Measurement {
  return (seconds) => posted(world, url, connections, seconds);
}

async function posted(world: BenchWorld, url: string, connections: number, seconds: Seconds): Promise<Posted> {
  const result = await measurePosts(world, url, connections, seconds);
  if (result.failures > 0) throw new Error(`${result.failures} posts failed`);
  return result;
}

/** Measures posts while a worker rolls up. The note is the age of the oldest activity that is not yet rolled up. */
async function whileRollingUp(world: BenchWorld, api: StartedServer, seconds: Seconds, say: (line: string) => void) {
  const metricEvents = collectionOf(world.services.db, metricEventsResource);
  const worker = await world.startWorker({ rollsUp: true });
  say('rolling up what was posted so far');
  while (await metricEvents.findOne()) await new Promise((resolve) => setTimeout(resolve, 500));
  const result = await posted(world, api.url, 64, seconds);
  const oldest = await metricEvents.findOne({}, { sort: { createdAt: 1 } });
  const lagMs = oldest ? Date.now() - oldest.createdAt.getTime() : 0;
  await worker.stop();
  return { ...result, note: ` (lag ${(lagMs / 1000).toFixed(1)} s)` };
}
