import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { watch } from 'chokidar';
import closeWithGrace from 'close-with-grace';
import { loadSecrets } from '#operations/embedded/secrets';
import { startEmbedded } from '#operations/embedded/startEmbedded';
import { readConfig } from '#platform/infrastructure/config';
import { embeddedOptions } from './embeddedOptions';

/**
 * How long a file must stay unchanged before a restart, in milliseconds, because editors write a file in several steps.
 */
const settledMs = 50;
/** How long a replaced process may take to end, in milliseconds, before it is killed. */
const endMaxMs = 500;

/**
 * `npm run dev`: starts the stores once, and runs API, workers and timers from the sources. It restarts them when a
 * source file changes. Data is stored in the folder `dev` of the data folder.
 */
async function dev(): Promise<void> {
  const config = readConfig();
  const dataDir = path.join(config.dataDir, 'dev');
  const stores = await startEmbedded(embeddedOptions(dataDir));
  const { jwtSecret, adminPassword } = loadSecrets(dataDir);
  const environment = {
    JWT_SECRET: jwtSecret,
    ADMIN_PASSWORD: adminPassword,
    DEMO: 'on',
    ...process.env,
    MONGODB_URI: stores.mongodbUri,
    REDIS_URL: stores.redisUrl,
  };
  let child: ChildProcess | undefined;
  let running = Promise.resolve();
  const restart = () => {
    running = running.then(async () => {
      if (child) await end(child);
      child = start(environment);
    });
  };
  const watcher = watch(['src', 'workers'], {
    ignoreInitial: true,
    awaitWriteFinish: { stabilityThreshold: settledMs },
  });
  let timer: NodeJS.Timeout | undefined;
  watcher.on('all', () => {
    clearTimeout(timer);
    timer = setTimeout(restart, settledMs);
  });
  closeWithGrace({ delay: 20_000, logger: false }, async () => {
    await watcher.close();
    await running;
    if (child) await end(child);
    await stores.stop();
  });
  process.stdout.write(`The admin's password is ${environment.ADMIN_PASSWORD}\n`);
  restart();
}

function start(environment: NodeJS.ProcessEnv): ChildProcess {
  const startedAt = performance.now();
  const args = ['--require', './test/support/registerTypeScript.cjs', 'workers/start.ts'];
  const child = spawn(process.execPath, args, { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.pipe(process.stdout, { end: false });
  child.stdout.once('data', () => {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    process.stdout.write(`started in ${seconds} s; a change of src or workers starts it again\n`);
  });
  child.once('exit', (code) => {
    if (code) process.stdout.write(`ended with ${code}; waiting for a change\n`);
  });
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), endMaxMs);
  await exited;
  clearTimeout(timer);
}

dev().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
});
