import { setTimeout } from 'node:timers/promises';
import type { Services } from '../src/services/services';
import type { Running } from './redisWorker';
import { closeMaxMs, within } from './within';

/** Milliseconds between two looks for waiting work. */
const pollMs = 1000;

/**
 * Starts a loop that does what waits, one after the other.
 * @param runNext does one piece of work; false when none waits
 */
export function startPolledWorker(
  { log }: Pick<Services, 'log'>,
  what: string,
  runNext: (signal: AbortSignal) => Promise<boolean>,
): Running {
  const ending = new AbortController();
  const pause = () => setTimeout(pollMs, undefined, { signal: ending.signal }).catch(() => undefined);
  const run = async () => {
    while (!ending.signal.aborted) {
      const hasRun = await runNext(ending.signal).catch((err: unknown) => {
        log.error({ err }, `looking for ${what} failed`);
        return false;
      });
      if (!hasRun && !ending.signal.aborted) await pause();
    }
  };
  const ended = run();
  return {
    async close() {
      ending.abort();
      await within(closeMaxMs, ended);
    },
  };
}
