import path from 'node:path';
import { readPort } from './freePort';
import { MONGOD } from './mongod';
import { runningPid } from './pidFiles';
import { REDIS_SERVER } from './redisServer';
import { loadSecrets } from './secrets';
import type { Server } from './server';
import type { ServiceUris } from './startEmbedded';

/**
 * Returns the connection strings of the embedded servers of a data directory, with credentials, for commands that run
 * beside the service. Returns undefined when no server runs.
 */
export function findRunning(dataDir: string): Partial<ServiceUris> | undefined {
  const folder = path.resolve(dataDir);
  const uriOf = ({ name, options, uriOf }: Server) => {
    const port = runningPid(folder, name) && readPort(folder, name);
    return port ? [[options.uri, uriOf(port, loadSecrets(folder))]] : [];
  };
  const uris = [MONGOD, REDIS_SERVER].flatMap(uriOf);
  return uris.length === 0 ? undefined : Object.fromEntries(uris);
}
