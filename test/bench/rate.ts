import { setTimeout as sleep } from 'node:timers/promises';

/** A rate, and the seconds over which it was measured. */
export interface Rate {
  perSecond: number;
  seconds: number;
}

/** How many seconds something runs before and during the measurement. */
export interface Seconds {
  warmUp: number;
  measured: number;
}

/** Measures the rate of a growing count, after a warm-up. */
export async function rateOf(count: () => number | Promise<number>, { warmUp, measured }: Seconds): Promise<Rate> {
  await sleep(warmUp * 1000);
  const [before, startedAt] = [await count(), performance.now()];
  await sleep(measured * 1000);
  const [after, endedAt] = [await count(), performance.now()];
  const seconds = (endedAt - startedAt) / 1000;
  return { perSecond: (after - before) / seconds, seconds };
}
