import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import closeWithGrace from 'close-with-grace';
import { startEmbedded } from '#operations/embedded/startEmbedded';
import { makeDataFolder } from './dataFolder';
import { embeddedOptions } from './embeddedOptions';
import { keptStoresFile } from './keptStores';

/** `npm run test:stores`: starts the stores of tests. Test runs use them until this process ends. */
async function keepStores(): Promise<void> {
  const dataDir = makeDataFolder('loyalty-test-');
  const { mongodbUri, redisUrl, stop } = await startEmbedded(embeddedOptions(dataDir));
  mkdirSync(path.dirname(keptStoresFile), { recursive: true });
  writeFileSync(keptStoresFile, JSON.stringify({ pid: process.pid, mongodbUri, redisUrl }));
  process.stdout.write('The stores of tests are up; Ctrl-C ends them\n');
  closeWithGrace({ delay: 20_000, logger: false }, async () => {
    rmSync(keptStoresFile, { force: true });
    await stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
}

keepStores().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
});
