import { importLimits } from '#exchange/imports/importLimits';
import { runNextImport } from '#exchange/imports/run/runNextImport';
import type { Services } from '#server/services/services';
import { startPolledWorker } from './polledWorker';
import type { Running } from './redisWorker';

/** Starts loops that run waiting imports, some side by side, so that a small one does not wait for a big one. */
export function startImportsWorker(services: Services): Running {
  return startPolledWorker(services, { failed: 'looking for imports failed', atOnce: importLimits.atOnce }, (signal) =>
    runNextImport(services, signal),
  );
}
