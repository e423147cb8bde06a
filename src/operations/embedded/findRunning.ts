import path from 'node:path';
import { readPort } from './freePort';
import { runningPid } from './pidFiles';
import { loadSecrets } from './secrets';
import { SERVERS } from './servers';
import type { ServiceUris } from './startEmbedded';

/**
 * Returns the connection strings of the embedded servers of a data directory, with credentials, for commands that run
 * beside the service. Returns undefined when no server runs.
 */
export function findRunning(dataDir: string): Partial<ServiceUris> | undefined {
  const folder = path.resolve(dataDir);
  const running = SERVERS.filter(({ name }) => runningPid(folder, name));
  if (running.length === 0) return undefined;
  const secrets = loadSecrets(folder);
  return Object.fromEntries(
    running.map(({ name, options, uriOf }) => [options.uri, uriOf(readPort(folder, name), secrets)]),
  );
}
