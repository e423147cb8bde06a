import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { OnProgress } from '#base/common/progressTo';
import { findBinary } from './binaries/findBinary';
import { serverFile, writePrivate } from './dataFiles';
import { freePort, readPort, reservePort } from './freePort';
import { claimOwnership, releaseOwnership } from './ownership';
import { killStrays } from './pidFiles';
import { loadSecrets, type Secrets } from './secrets';
import { MONGOD, SERVERS, type Server } from './servers';
import { type ServerProgram, supervise } from './supervise';

/** Options of {@link startEmbedded}: which servers to start, from which programs, and where their data is. */
export interface EmbeddedOptions {
  dataDir: string;
  /** The folder for downloaded programs. */
  cacheDir: string;
  /** Directories, separated as in the environment variable PATH. */
  path: string;
  mongodBinary?: string | undefined;
  redisServerBinary?: string | undefined;
  /** The connection string of a server to use instead of an embedded mongod. */
  mongodbUri?: string | undefined;
  /** The URL of a server to use instead of an embedded redis-server. */
  redisUrl?: string | undefined;
  /** Further arguments of mongod, such as those of tests. */
  mongodArgs?: readonly string[];
  onProgress: OnProgress;
}

/** The connection strings of the backing services. */
export interface ServiceUris {
  mongodbUri: string;
  redisUrl: string;
}

/** The backing services of this process. */
export interface EmbeddedServices extends ServiceUris {
  /** Ends the servers that were started here, in order. Other servers continue. */
  stop(): Promise<void>;
}

/**
 * Starts the backing services that are not given, and returns all. These are private servers on loopback ports whose
 * data stays in `dataDir`. They end with this process, however it ends.
 * @throws StartError when a server cannot be started, or another live process owns the directory
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServices> {
  const { mongodbUri = '', redisUrl = '' } = options;
  const uris = { mongodbUri, redisUrl };
  const servers = SERVERS.filter((server) => options[server.options.uri] === undefined);
  if (servers.length === 0) return { ...uris, stop: async () => undefined };
  const dataDir = path.resolve(options.dataDir);
  claimOwnership(dataDir);
  let stopServers = async (): Promise<void> => undefined;
  const stop = async () => {
    await stopServers();
    await killStrays(dataDir);
    releaseOwnership(dataDir);
  };
  try {
    await killStrays(dataDir);
    const secrets = loadSecrets(dataDir);
    const programs: ServerProgram[] = [];
    // Downloads run one after the other, so that their progress lines do not overwrite each other.
    for (const server of servers) programs.push(await findServerProgram(server, { ...options, dataDir }, secrets));
    stopServers = await superviseOnPorts(dataDir, programs, options.onProgress);
    for (const server of servers) {
      const port = readPort(dataDir, server.name);
      await server.complete?.(port, secrets);
      uris[server.options.uri] = server.uriOf(port, secrets);
    }
    return { ...uris, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Runs servers on free ports. Another process may take a port before the server does; then another one is chosen. */
async function superviseOnPorts(dataDir: string, programs: ServerProgram[], onProgress: OnProgress) {
  for (;;) {
    const ports: number[] = [];
    for (const { name } of programs) ports.push(await reservePort(dataDir, name));
    const onPorts = programs.map((each, n) => ({ ...each, args: [...each.args, '--port', String(ports[n])] }));
    try {
      return await supervise(dataDir, onPorts, onProgress);
    } catch (error) {
      const free = await Promise.all(ports.map((port) => freePort(port)));
      if (free.every((port, n) => port === ports[n])) throw error;
    }
  }
}

/** The program of a server, with all its arguments but the port. */
async function findServerProgram(server: Server, options: EmbeddedOptions, secrets: Secrets): Promise<ServerProgram> {
  const { name, readyText, secretFile } = server;
  const { dataDir } = options;
  const binary = await findBinary(server, { ...options, explicit: options[server.options.binary] });
  const folder = path.join(dataDir, server.folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = path.join(dataDir, secretFile.name);
  writePrivate(file, secretFile.textOf(secrets));
  const more = server === MONGOD ? (options.mongodArgs ?? []) : [];
  const args = [...server.argsOf(folder, file), ...more];
  return { name, binary, args, logFile: serverFile(dataDir, name, 'log'), readyText };
}
