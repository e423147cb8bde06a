import path from 'node:path';
import type { OnProgress } from '../common/progressTo';
import type { ServerName } from './binaries/binaryKind';
import { MONGOD, REDIS_SERVER } from './binaries/binaryKind';
import { findBinary } from './binaries/findBinary';
import { type KeptServer, keepRunning } from './keepRunning';
import { claimOwnership, releaseOwnership } from './ownership';
import { loadSecrets, type Secrets } from './secrets';
import { type RunningServer, stopServer } from './serverProcess';
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
    return await startServers({ ...options, dataDir });
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

async function startServers(options: EmbeddedOptions): Promise<EmbeddedServices> {
  const { dataDir, onProgress } = options;
  // One after the other, so that two downloads do not write over each other's progress.
  const secrets = loadSecrets(dataDir);
  const startsMongod = await mongodStarter(options, secrets);
  const startsRedis = await redisStarter(options, secrets);
  const [mongod, redis] = await Promise.allSettled([startsMongod?.(), startsRedis?.()]);
  if (mongod.status === 'rejected') throw mongod.reason;
  if (redis.status === 'rejected') throw redis.reason;
  const kept = [keptServer('mongod', mongod.value, startsMongod), keptServer('redis-server', redis.value, startsRedis)];
  const keeper = keepRunning(dataDir, kept.flat(), onProgress);
  return {
    mongodbUri: mongod.value ? mongodbUriOf(mongod.value, secrets.mongodPassword) : (options.mongodbUri ?? ''),
    redisUrl: redis.value ? redisUrlOf(redis.value, secrets.redisPassword) : (options.redisUrl ?? ''),
    stop: async () => {
      await keeper.stop();
      await stopAll(dataDir);
    },
  };
}

type Starter = () => Promise<RunningServer>;

async function mongodStarter(options: EmbeddedOptions, secrets: Secrets): Promise<Starter | undefined> {
  if (options.mongodbUri !== undefined) return undefined;
  const binary = await findBinary(MONGOD, { ...options, explicit: options.mongodBinary });
  return () => startMongod({ ...options.mongod, dataDir: options.dataDir, binary, secrets });
}

async function redisStarter(options: EmbeddedOptions, secrets: Secrets): Promise<Starter | undefined> {
  if (options.redisUrl !== undefined) return undefined;
  const binary = await findBinary(REDIS_SERVER, { ...options, explicit: options.redisServerBinary });
  return () => startRedis({ dataDir: options.dataDir, binary, secrets });
}

function keptServer(name: ServerName, server: RunningServer | undefined, restart: Starter | undefined): KeptServer[] {
  return server && restart ? [{ name, port: server.port, restart }] : [];
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
