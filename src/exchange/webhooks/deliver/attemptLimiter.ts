/** The attempts that a process makes at once, over all webhooks. Those that wait get their turn in order. */
export interface AttemptLimiter {
  /** Waits for a turn, and runs. */
  use<T>(run: () => Promise<T>): Promise<T>;
}

/** Makes this many slots. */
export function createAttemptLimiter(count: number): AttemptLimiter {
  const waiting: (() => void)[] = [];
  let free = count;
  return {
    async use(run) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await run();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else free += 1;
      }
    },
  };
}
