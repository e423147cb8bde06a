import { slowness, slownessNow } from '../../support/givenTime';
import { mainThreadMs } from '../../support/mainThread.cjs';

const tickMs = 5;

/**
 * The result of a function, and the longest time for which it blocked the event loop, in ms as on the reference machine.
 * Time that the machine spent on other processes and threads does not count. The shortest of up to three tries to stay
 * within `maxMs`; the result is always that of the first try.
 * @param prepare makes the function; called for each try, so that no try profits from the memory of an earlier one
 */
export async function longestBlockMs<T>(
  prepare: () => Promise<() => Promise<T>>,
  maxMs: number,
  tries = 3,
): Promise<{ result: T; blockedMs: number }> {
  const first = await blockOf(await prepare());
  if (first.blockedMs <= maxMs || tries === 1) return first;
  const next = await longestBlockMs(prepare, maxMs, tries - 1);
  return { ...first, blockedMs: Math.min(first.blockedMs, next.blockedMs) };
}

async function blockOf<T>(run: () => Promise<T>): Promise<{ result: T; blockedMs: number }> {
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
    return { result, blockedMs: blockedMs / Math.min(Math.max(slowness(), slownessNow()), 2 * slowness()) };
  } finally {
    clearInterval(timer);
  }
}

function now() {
  return { wallMs: performance.now(), cpuMs: mainThreadMs() };
}
