/** Returns the present instant. Clocks are parameters wherever time matters, so that tests can set the time. */
export interface Clock {
  now(): Date;
  /** The machine's clock, of a clock that was moved. */
  machine?: Clock;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date() };

/**
 * Returns milliseconds since an arbitrary instant, for durations. Unlike a clock, it never jumps when a machine or a
 * test sets the time.
 */
export function elapsedMs(): number {
  return performance.now();
}
