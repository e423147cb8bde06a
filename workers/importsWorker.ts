import { runNextImport } from '../src/imports/run/runNextImport';
import { allRoutes } from '../src/routes';
import type { Services } from '../src/services/services';
import { startPolledWorker } from './polledWorker';
import type { Running } from './redisWorker';

/** Starts a loop that runs waiting imports, one after the other. */
export function startImportsWorker(services: Services): Running {
  const own = { ...services, routes: allRoutes };
  return startPolledWorker(services, 'imports', (signal) => runNextImport(own, signal));
}
