import { setTimeout as sleep } from 'node:timers/promises';
import { collectionOf } from '#base/db/collections';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { submissionResource } from '#records/activities/submission';
import type { BenchWorld } from './benchWorld';
import { purchase } from './posts';
import { type Rate, rateOf, type Seconds } from './rate';

const bulk = 1000;
const parallel = 2;

/** Posts `total` activities asynchronously in bulk posts of 1,000; returns the rate of accepted activities. */
export async function measureAccepted(world: BenchWorld, url: string, total: number): Promise<Rate> {
  const startedAt = performance.now();
  let next = 0;
  const lanes = Array.from({ length: parallel }, async () => {
    while (next < total) {
      const from = next;
      next += bulk;
      await postBulk(world, url, from);
    }
  });
  await Promise.all(lanes);
  const seconds = (performance.now() - startedAt) / 1000;
  return { perSecond: next / seconds, seconds };
}

async function postBulk(world: BenchWorld, url: string, from: number): Promise<void> {
  const bodies = Array.from({ length: bulk }, (_unused, n) => purchase(world, from + n));
  const response = await fetch(`${url}/api/v1/activities/bulk?async=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${world.token}` },
    body: `[${bodies.join(',')}]`,
  });
  const answers = (await response.json()) as { status?: string }[];
  const refused = answers.filter(({ status }) => status !== 'Queued').length;
  if (response.status !== 202 || refused > 0) throw new Error(`bulk post: ${response.status}, ${refused} refused`);
}

/** The longest time in milliseconds until a worker processes its first activity. */
const startMaxMs = 60_000;

/**
 * Measures how many queued activities a worker processes per second. The warm-up begins with the first activity.
 * @throws Error when the worker does not begin within {@link startMaxMs}
 */
export async function measureDrained(world: BenchWorld, seconds: Seconds): Promise<Rate> {
  // Each activity makes one history. The estimated count comes from metadata; an exact count would use much CPU time.
  const processed = () => collectionOf(world.services.db, activityHistoryResource).estimatedDocumentCount();
  const before = await processed();
  const worker = await world.startWorker({ rollsUp: false });
  const startedAt = performance.now();
  while ((await processed()) === before) {
    if (performance.now() - startedAt > startMaxMs) throw new Error('the worker processed nothing in a minute');
    await sleep(50);
  }
  const rate = await rateOf(processed, seconds);
  await worker.stop();
  return rate;
}

/** Counts the submissions that are still queued. With 0, the worker was idle during the measurement. */
export function queuedLeft(world: BenchWorld): Promise<number> {
  return collectionOf(world.services.db, submissionResource).countDocuments({ status: 'Queued' });
}
