import { setTimeout } from 'node:timers/promises';
import type { Services } from '../src/services/services';
import { runNextSimulation } from '../src/simulations/runNextSimulation';
import type { Running } from './redisWorker';
import { closeMaxMs, within } from './within';

/** Milliseconds between two looks for a waiting simulation. */
const pollMs = 1000;

/** Starts a loop that runs waiting simulations, one after the other. */
export function startSimulationsWorker(services: Services): Running {
  const ending = new AbortController();
  const pause = () => setTimeout(pollMs, undefined, { signal: ending.signal }).catch(() => undefined);
  const run = async () => {
    while (!ending.signal.aborted) {
      const hasRun = await runNextSimulation(services, ending.signal).catch((err: unknown) => {
        services.log.error({ err }, 'looking for simulations failed');
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
