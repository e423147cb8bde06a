import path from 'node:path';
import { type BinaryKind, MONGOD, REDIS_SERVER } from './binaryKind';
import { findBinary } from './findBinary';
import { claimOwnership, releaseOwnership } from './ownership';
import type { OnProgress } from './progress';
import { stopServer } from './serverProcess';
import { type MongodOptions, mongodbUriOf, startMongod } from './startMongod';
import { redisUrlOf, startRedis } from './startRedis';
import { startWatchdog, stopWatchdog } from './watchdog';

/** What decides which servers are started, from which programs, and where their data is. */
export interface EmbeddedOptions {
  dataDir: string;
  /** Where downloaded programs are kept. */
  cacheDir: string;
  /** Directories separated as in the environment variable PATH. */
  path: string;
  mongodBinary?: string | undefined;
  redisServerBinary?: string | undefined;
  /** A server to use instead of an embedded mongod. */
  mongodbUri?: string | undefined;
  /** A server to use instead of an embedded redis-server. */
  redisUrl?: string | undefined;
  mongod?: Pick<MongodOptions, 'cacheGb' | 'setParameters'>;
  onProgress: OnProgress;
}

/** Where the backing services are. */
export interface ServiceUris {
  mongodbUri: string;
  redisUrl: string;
}

/** The backing services of this process. */
export interface EmbeddedServices extends ServiceUris {
  /** Ends what was started here, in order; given servers go on. */
  stop(): Promise<void>;
}

/**
 * Gives the backing services, starting those that are not given: private servers on loopback ports that survive in `dataDir` and end
 * within 5 s when this process is gone.
 * @throws StartError when a server cannot be started, or another live process owns the directory
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServices> {
  const { mongodbUri, redisUrl } = options;
  if (mongodbUri !== undefined && redisUrl !== undefined) return { mongodbUri, redisUrl, stop: async () => undefined };
  const dataDir = path.resolve(options.dataDir);
  claimOwnership(dataDir);
  try {
    await inheritServers(dataDir);
    const binaries = await findBinaries(options);
    const services = await startServers({ ...options, dataDir }, binaries);
    return { ...services, stop: () => stopAll(dataDir) };
  } catch (error) {
    await stopAll(dataDir);
    throw error;
  }
}

/** What an owner that was killed has left: servers to take over, except where their watchdog is ending them already. */
async function inheritServers(dataDir: string): Promise<void> {
  const { hadBegunToStop } = await stopWatchdog(dataDir);
  if (hadBegunToStop) await stopServers(dataDir);
  startWatchdog(dataDir);
}

interface Binaries {
  mongod: string | undefined;
  redisServer: string | undefined;
}

/** One after the other, so that two downloads do not write over each other's progress. */
async function findBinaries(options: EmbeddedOptions): Promise<Binaries> {
  const find = (kind: BinaryKind, given: string | undefined, explicit: string | undefined) =>
    given === undefined ? findBinary(kind, { ...options, explicit }) : undefined;
  return {
    mongod: await find(MONGOD, options.mongodbUri, options.mongodBinary),
    redisServer: await find(REDIS_SERVER, options.redisUrl, options.redisServerBinary),
  };
}

async function startServers(options: EmbeddedOptions, binaries: Binaries): Promise<ServiceUris> {
  const { dataDir, mongodbUri = '', redisUrl = '' } = options;
  const { mongod, redisServer } = binaries;
  const [mongo, redis] = await Promise.allSettled([
    mongod === undefined ? mongodbUri : startMongod({ ...options.mongod, dataDir, binary: mongod }).then(mongodbUriOf),
    redisServer === undefined ? redisUrl : startRedis({ dataDir, binary: redisServer }).then(redisUrlOf),
  ]);
  if (mongo.status === 'rejected') throw mongo.reason;
  if (redis.status === 'rejected') throw redis.reason;
  return { mongodbUri: mongo.value, redisUrl: redis.value };
}

/** The servers first: until they are gone the watchdog is there for the case that this process is killed meanwhile. */
async function stopAll(dataDir: string): Promise<void> {
  await stopServers(dataDir);
  await stopWatchdog(dataDir);
  releaseOwnership(dataDir);
}

async function stopServers(dataDir: string): Promise<void> {
  await Promise.all([stopServer(dataDir, 'mongod'), stopServer(dataDir, 'redis-server')]);
}
