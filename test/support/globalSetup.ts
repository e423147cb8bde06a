import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbedded } from '../../src/embedded/startEmbedded';
import { embeddedOptions } from './embeddedOptions';

declare global {
  var stopTestServers: (() => Promise<void>) | undefined;
}

/** Starts one mongod and one redis-server for the whole run; test files find them through `testStores()`. */
export default async function globalSetup(): Promise<void> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'loyalty-test-'));
  const services = await startEmbedded(embeddedOptions(dataDir));
  globalThis.stopTestServers = async () => {
    await services.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  // Jest hands the environment on to its workers, which start after this.
  process.env.TEST_MONGODB_URI = services.mongodbUri;
  process.env.TEST_REDIS_URL = services.redisUrl;
}
