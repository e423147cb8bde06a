/** Longest that long work goes on before it lets others have their turn, in milliseconds. */
const turnMaxMs = 10;

const waiting: (() => void)[] = [];

/**
 * Resolves in a later turn of the event loop, after everything that came meanwhile. Of all long work one piece goes on in
 * a turn, so that many large requests at once hold nobody up for longer than one does.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(release);
  });
}

function release(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(release);
}

/** Makes what long work calls between its steps: undefined while its turn lasts, else what to wait for. */
export function takeTurns(): () => Promise<void> | undefined {
  let startedAt = performance.now();
  return () => {
    if (performance.now() - startedAt < turnMaxMs) return undefined;
    return nextTurn().then(() => {
      startedAt = performance.now();
    });
  };
}

/** The same as `items.map(step)`, with turns for others between the steps. */
export async function mapInTurns<T, R>(items: readonly T[], step: (item: T, index: number) => R): Promise<R[]> {
  const turn = takeTurns();
  const results: R[] = [];
  for (const [index, item] of items.entries()) {
    results.push(step(item, index));
    const others = turn();
    if (others) await others;
  }
  return results;
}
