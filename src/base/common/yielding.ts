/** The longest time, in milliseconds, that long work runs before other work gets a turn. */
const runMaxMs = 10;

const waiting: (() => void)[] = [];

/**
 * Resolves in a later turn of the event loop, after everything that arrived in the meantime. Only one piece of long
 * work continues in each turn. So many large requests together delay other requests no longer than one large request
 * does.
 */
export function yieldNow(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(release);
  });
}

function release(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(release);
}

/**
 * Makes the function that long work calls between its steps. It returns undefined while the turn lasts, else a promise
 * to await.
 */
export function startYielding(): () => Promise<void> | undefined {
  let startedAt = performance.now();
  return () => {
    if (performance.now() - startedAt < runMaxMs) return undefined;
    return yieldNow().then(() => {
      startedAt = performance.now();
    });
  };
}

/** Does the same as `items.map(step)`, with turns for other work between the steps. */
export async function mapYielding<T, R>(items: readonly T[], step: (item: T, index: number) => R): Promise<R[]> {
  const turn = startYielding();
  const results: R[] = [];
  for (const [index, item] of items.entries()) {
    results.push(step(item, index));
    const others = turn();
    if (others) await others;
  }
  return results;
}
