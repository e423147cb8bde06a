import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import './translateTypeScript.cjs';
import { startEmbedded } from '#operations/embedded/startEmbedded';
import { makeDataFolder } from './dataFolder';
import { embeddedOptions } from './embeddedOptions';
import { keptStores } from './keptStores';

declare global {
  var stopTestServers: (() => Promise<void>) | undefined;
}

/**
 * Starts one mongod and one redis-server for the whole run, or uses those of `npm run test:stores`. Test files get
 * their addresses from `testStores()`. Meanwhile it compiles what the processes load that tests start. A run that a test
 * starts uses the stores of the run of that test.
 */
export default async function globalSetup(): Promise<void> {
  if (process.env.TEST_WITHIN_TEST) return;
  process.env.UNKEYED_COMMANDS = path.join(mkdtempSync(path.join(tmpdir(), 'loyalty-unkeyed-')), 'commands');
  await Promise.all([startStores(), compileModules()]);
}

async function compileModules(): Promise<void> {
  await promisify(execFile)(process.execPath, [path.join(__dirname, 'compileModules.cjs')]);
}

async function startStores(): Promise<void> {
  const kept = keptStores();
  if (kept) {
    handOn(kept);
    return;
  }
  const dataDir = makeDataFolder('loyalty-test-');
  const services = await startEmbedded(embeddedOptions(dataDir));
  globalThis.stopTestServers = async () => {
    await services.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  handOn(services);
}

/** Stores the addresses in the environment, which Jest passes to its workers. The workers start later. */
function handOn({ mongodbUri, redisUrl }: { mongodbUri: string; redisUrl: string }): void {
  process.env.TEST_MONGODB_URI = mongodbUri;
  process.env.TEST_REDIS_URL = redisUrl;
}
