import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { progressTo } from '../../src/embedded/progress';
import { type EmbeddedServices, startEmbedded } from '../../src/embedded/startEmbedded';

declare global {
  var embeddedTestServices: { stop: () => Promise<void> } | undefined;
}

/** Starts one mongod and one redis-server for the whole run; test files find them through `testStores()`. */
export default async function globalSetup(): Promise<void> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'loyalty-test-'));
  const services = await start(dataDir);
  globalThis.embeddedTestServices = {
    stop: async () => {
      await services.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  // Jest hands the environment on to its workers, which start after this.
  process.env.TEST_MONGODB_URI = services.mongodbUri;
  process.env.TEST_REDIS_URL = services.redisUrl;
}

function start(dataDir: string): Promise<EmbeddedServices> {
  const { env } = process;
  return startEmbedded({
    dataDir,
    cacheDir: path.join(env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), 'loyalty-service'),
    path: env.PATH ?? '',
    mongodBinary: env.MONGOD_BINARY,
    redisServerBinary: env.REDIS_SERVER_BINARY,
    mongod: { setParameters: { enableTestCommands: 1 } },
    onProgress: progressTo(process.stderr),
  });
}
