import { setTimeout } from 'node:timers/promises';
import { withinTime } from '#base/common/withinTime';
import type { Services } from '#server/services/services';
import { closeMaxMs } from './closeMaxMs';
import type { Running } from './redisWorker';

/** How waiting work is looked for. */
interface Polling {
  /** What the log says when the work throws. */
  failed: string;
  /** Milliseconds between two looks when nothing waits. */
  pollMs?: number;
  /** The most pieces of work that are done side by side. A further loop looks for work only while those before it work. */
  atOnce?: number;
}

/**
 * Starts loops that do what waits.
 * @param runNext does one piece of work; false when none waits
 */
export function startPolledWorker(
  { log }: Pick<Services, 'log'>,
  { failed, pollMs = 1000, atOnce = 1 }: Polling,
  runNext: (signal: AbortSignal) => Promise<boolean>,
): Running {
  const ending = new AbortController();
  const pause = () => setTimeout(pollMs, undefined, { signal: ending.signal }).catch(() => undefined);
  let working = 0;
  const runOne = async () => {
    working += 1;
    try {
      return await runNext(ending.signal);
    } catch (err) {
      log.error({ err }, failed);
      return false;
    } finally {
      working -= 1;
    }
  };
  const run = async (before: number) => {
    while (!ending.signal.aborted) {
      const hasRun = working >= before && (await runOne());
      if (!hasRun && !ending.signal.aborted) await pause();
    }
  };
  const ended = Promise.all(Array.from({ length: atOnce }, (_unused, before) => run(before)));
  return {
    async close() {
      ending.abort();
      await withinTime(closeMaxMs, ended);
    },
  };
}
