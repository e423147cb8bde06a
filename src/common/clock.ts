/** Gives the present moment; passed in wherever time matters, so that tests can set it. */
export interface Clock {
  now(): Date;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date() };

/** Milliseconds since some moment, for durations: unlike a clock they never jump, whatever a machine or a test sets. */
export function elapsedMs(): number {
  return performance.now();
}
