const tickMs = 5;

/** What something gives, and the longest time in milliseconds for which nothing else could run meanwhile. */
export async function longestBlockMs<T>(run: () => Promise<T>): Promise<{ result: T; blockedMs: number }> {
  let blockedMs = 0;
  let last = performance.now();
  const tick = () => {
    const now = performance.now();
    blockedMs = Math.max(blockedMs, now - last - tickMs);
    last = now;
  };
  const timer = setInterval(tick, tickMs);
  try {
    const result = await run();
    tick();
    return { result, blockedMs };
  } finally {
    clearInterval(timer);
  }
}
