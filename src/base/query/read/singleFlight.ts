/** Reads that several callers share. */
export interface SingleFlight {
  /**
   * Returns the result of a read that begins after this call. Callers that come while a read is running share the next
   * one. So a slow read runs once at a time, and each caller sees what was written before its call.
   * @param key identifies the read; two reads with one key must be the same
   */
  run(key: string, read: () => Promise<number>): Promise<number>;
}

interface Runs {
  running: Promise<number>;
  next?: Promise<number>;
}

export function singleFlight(): SingleFlight {
  const byKey = new Map<string, Runs>();
  const start = (key: string, read: () => Promise<number>): Promise<number> => {
    const runs: Runs = { running: read() };
    byKey.set(key, runs);
    const end = () => {
      if (!runs.next) byKey.delete(key);
    };
    runs.running.then(end, end);
    return runs.running;
  };
  return {
    run(key, read) {
      const runs = byKey.get(key);
      if (!runs) return start(key, read);
      runs.next ??= runs.running.then(
        () => start(key, read),
        () => start(key, read),
      );
      return runs.next;
    },
  };
}
