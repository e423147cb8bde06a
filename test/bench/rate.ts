import { setTimeout as sleep } from 'node:timers/promises';

/** How many per second, and over how many seconds that was measured. */
export interface Rate {
  perSecond: number;
  seconds: number;
}

/** How long something runs before and while it is measured. */
export interface Seconds {
  warmUp: number;
  measured: number;
}

/** The rate of a growing count, after a warm-up. */
export async function rateOf(count: () => number | Promise<number>, { warmUp, measured }: Seconds): Promise<Rate> {
  await sleep(warmUp * 1000);
  const [before, startedAt] = [await count(), performance.now()];
  await sleep(measured * 1000);
  const [after, endedAt] = [await count(), performance.now()];
  const seconds = (endedAt - startedAt) / 1000;
  return { perSecond: (after - before) / seconds, seconds };
}
