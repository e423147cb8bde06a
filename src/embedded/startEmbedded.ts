import path from 'node:path';
import type { OnProgress } from '../common/progressTo';
import { MONGOD, REDIS_SERVER } from './binaries/binaryKind';
import { findBinary } from './binaries/findBinary';
import { claimOwnership, releaseOwnership } from './ownership';
import { loadSecrets } from './secrets';
import { type MongodOptions, startMongod } from './startMongod';
import { startRedis } from './startRedis';
import { endStrays, Supervisor } from './supervisor';

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
  mongod?: Pick<MongodOptions, 'setParameters'>;
  onProgress: OnProgress;
}

/** The connection strings of the backing services. */
export interface ServiceUris {
  mongodbUri: string;
  redisUrl: string;
}

/** The backing services of this process. */
export interface EmbeddedServices extends ServiceUris {
  /** Ends the servers that were started here, in order. Other servers go on. */
  stop(): Promise<void>;
}

/**
 * Starts the backing services that are not given, and returns all. These are private servers on loopback ports whose
 * data stays in `dataDir`. They end with this process, however it ends.
 * @throws StartError when a server cannot be started, or another live process owns the directory
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServices> {
  const { mongodbUri, redisUrl } = options;
  if (mongodbUri !== undefined && redisUrl !== undefined) return { mongodbUri, redisUrl, stop: async () => undefined };
  const dataDir = path.resolve(options.dataDir);
  claimOwnership(dataDir);
  await endStrays(dataDir);
  const supervisor = new Supervisor(dataDir, options.onProgress);
  const stop = async () => {
    await supervisor.stop();
    releaseOwnership(dataDir);
  };
  try {
    return { ...(await startServers({ ...options, dataDir }, supervisor)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startServers(options: EmbeddedOptions, supervisor: Supervisor): Promise<ServiceUris> {
  const { dataDir, mongodbUri, redisUrl, mongodBinary, redisServerBinary } = options;
  const secrets = loadSecrets(dataDir);
  // Downloads run one after the other, so that their progress lines do not overwrite each other.
  const mongod = mongodbUri === undefined && (await findBinary(MONGOD, { ...options, explicit: mongodBinary }));
  const redis = redisUrl === undefined && (await findBinary(REDIS_SERVER, { ...options, explicit: redisServerBinary }));
  const started = await Promise.allSettled([
    mongod ? startMongod({ ...options.mongod, dataDir, binary: mongod, secrets }, supervisor) : mongodbUri,
    redis ? startRedis({ dataDir, binary: redis, secrets }, supervisor) : redisUrl,
  ]);
  const [mongodbAt = '', redisAt = ''] = started.map((start) => {
    if (start.status === 'rejected') throw start.reason;
    return start.value;
  });
  return { mongodbUri: mongodbAt, redisUrl: redisAt };
}
