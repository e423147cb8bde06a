/**
 * Runs calls for the same key one after the other. Calls that come before a waiting run has begun share that run, since
 * it reads everything that exists when it begins.
 */
export function serializedByKey<T>(run: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const running = new Map<string, Promise<unknown>>();
  const waiting = new Map<string, Promise<T>>();
  return (key) => {
    const shared = waiting.get(key);
    if (shared) return shared;
    const before = running.get(key) ?? Promise.resolve();
    const next = before.then(() => {
      waiting.delete(key);
      return run(key);
    });
    waiting.set(key, next);
    const ended = next.then(ignore, ignore);
    running.set(key, ended);
    void ended.then(() => running.get(key) === ended && running.delete(key));
    return next;
  };
}

function ignore(): void {}
