/**
 * Runs what is asked for one key one after the other. Those who ask while a run has not begun share it: it will see
 * everything that is there when it begins.
 */
export function oneAtATime<T>(run: (key: string) => Promise<T>): (key: string) => Promise<T> {
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
