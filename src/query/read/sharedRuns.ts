/** Runs that many callers share. */
export interface SharedRuns {
  /**
   * Gives what `read` gives, of a run that begins after this call: callers that come while one is under way share the
   * next, so a dear read of many at once goes on once at a time, and each sees what was written before it asked.
   * @param key tells what is read; two reads of one key must mean the same
   */
  run(key: string, read: () => Promise<number>): Promise<number>;
}

interface Runs {
  running: Promise<number>;
  next?: Promise<number>;
}

/** Makes the shared runs of a process. */
export function sharedRuns(): SharedRuns {
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
