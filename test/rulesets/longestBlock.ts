const tickMs = 5;

/**
 * What something gives, and the longest time in milliseconds for which it let nothing else run meanwhile. What the
 * machine spent on other processes does not count.
 */
export async function longestBlockMs<T>(run: () => Promise<T>): Promise<{ result: T; blockedMs: number }> {
  let blockedMs = 0;
  let last = now();
  const tick = () => {
    const { wallMs, cpuMs } = now();
    blockedMs = Math.max(blockedMs, Math.min(wallMs - last.wallMs - tickMs, cpuMs - last.cpuMs));
    last = { wallMs, cpuMs };
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

function now() {
  const { user, system } = process.cpuUsage();
  return { wallMs: performance.now(), cpuMs: (user + system) / 1000 };
}
