import closeWithGrace from 'close-with-grace';
import { firstOrg } from '#access/users/firstOrg';
import { progressTo } from '#base/common/progressTo';
import { terminalText } from '#base/common/terminalText';
import { fillDemo } from '#operations/demo/fillDemo';
import { noteApi } from '#operations/embedded/apiAddress';
import { loadSecrets } from '#operations/embedded/secrets';
import { type EmbeddedServices, startEmbedded } from '#operations/embedded/startEmbedded';
import { findGeneratedPassword } from '#platform/auth/generatedPassword';
import { serveLimits } from '#platform/http/serveLimits';
import { type Config, readConfig } from '#platform/infrastructure/config';
import { createApp } from '#server/app';
import { serve } from '#server/serve';
import { openServices } from '#server/services/services';
import { answerWhileStarting } from '#server/startUp/answerWhileStarting';
import { awaitServers } from '#server/startUp/awaitServers';
import { banner } from '#server/startUp/banner';
import { collectStartUp } from '#server/startUp/collectStartUp';
import { exitOnFailure } from '#server/startUp/exitOnFailure';
import { waitMs, withRetries } from '#server/startUp/retryPolicy';
import { startWorkers } from './startWorkers';

/** How long requests and jobs in flight may take when the process stops. */
const closeMaxMs = 10_000;

/**
 * `npm start`: starts a private MongoDB and Redis unless their addresses are configured, then API, workers and timers
 * in this process.
 */
async function start(): Promise<void> {
  collectStartUp();
  const config = readConfig();
  const closers: (() => Promise<void>)[] = [];
  const closeAll = async () => {
    for (const close of closers.reverse()) await close();
  };
  // This comes first, so that Ctrl-C during the start closes whatever has been opened.
  closeWithGrace({ delay: closeMaxMs, logger: false }, closeAll);
  try {
    await startAll(config, closers);
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function startAll(config: Config, closers: (() => Promise<void>)[]): Promise<void> {
  const onProgress = progressTo(process.stderr);
  const backing = await startEmbedded({ ...embeddedOptions(config), onProgress });
  closers.push(() => backing.stop());
  const { complete, adminPassword } = completeConfig(config, backing);
  await awaitServers(complete);
  const starting = await answerWhileStarting(complete);
  closers.push(async () => starting.close());
  const services = await openServices(complete, { role: 'all', onProgress: starting.tell });
  closers.push(() => services.close());
  const patience = { waitMs, onAway: () => starting.tell('Waiting for MongoDB, which does not answer', true) };
  const org = await withRetries(() => firstOrg(services.db, complete, services.clock), patience);
  const isDemo = complete.DEMO === 'on' && (await withRetries(() => fillDemo(services, org), patience));
  await services.ruleSets.start();
  collectStartUp();
  const workers = await startWorkers(services);
  closers.push(() => workers.close());
  const api = await serve(services, createApp(services), serveLimits, starting.handOver());
  closers.push(() => api.close());
  if (config.MONGODB_URI === undefined || config.REDIS_URL === undefined) noteApi(config.dataDir, api.url);
  const username = complete.ADMIN_USERNAME;
  const madePassword = await findGeneratedPassword(services.db, username, adminPassword);
  const isFilled = complete.DEMO === 'on' || isDemo;
  process.stdout.write(terminalText(banner({ url: api.url, username, madePassword, isDemo: isFilled })));
}

function embeddedOptions(config: Config) {
  return {
    dataDir: config.dataDir,
    cacheDir: config.cacheDir,
    path: config.PATH,
    mongodBinary: config.MONGOD_BINARY,
    redisServerBinary: config.REDIS_SERVER_BINARY,
    mongodbUri: config.MONGODB_URI,
    redisUrl: config.REDIS_URL,
  };
}

/**
 * Completes the configuration. With an embedded MongoDB, DEMO is on and missing secrets are generated once.
 * `adminPassword` is the password that was generated; undefined when the configuration gives one or MongoDB is not
 * embedded.
 */
function completeConfig(config: Config, { mongodbUri, redisUrl }: EmbeddedServices) {
  const backing = { ...config, MONGODB_URI: mongodbUri, REDIS_URL: redisUrl };
  const isEmbedded = config.MONGODB_URI === undefined;
  if (!isEmbedded) return { complete: { ...backing, DEMO: config.DEMO ?? 'off' } as const, adminPassword: undefined };
  const { jwtSecret, adminPassword } = loadSecrets(config.dataDir);
  const complete = {
    ...backing,
    DEMO: config.DEMO ?? 'on',
    JWT_SECRET: config.JWT_SECRET ?? jwtSecret,
    ADMIN_PASSWORD: config.ADMIN_PASSWORD ?? adminPassword,
  } as const;
  return { complete, adminPassword: config.ADMIN_PASSWORD === undefined ? adminPassword : undefined };
}

exitOnFailure(start);
