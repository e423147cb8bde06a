import closeWithGrace from 'close-with-grace';
import { firstOrg } from '#access/users/firstOrg';
import { fillDemo } from '#operations/demo/fillDemo';
import { serveLimits } from '#platform/http/serveLimits';
import { readConfig } from '#platform/infrastructure/config';
import { openServices, type Services } from '#server/services/services';
import { answerWhileStarting, type Starting } from '#server/startUp/answerWhileStarting';
import { awaitServers } from '#server/startUp/awaitServers';
import { collectStartUp } from '#server/startUp/collectStartUp';
import { exitOnFailure } from '#server/startUp/exitOnFailure';
import { waitMs, withRetries } from '#server/startUp/retryPolicy';
import { createApp } from './app';
import { serve } from './serve';

/** How long requests and connections may take to end when the process stops. After that the process exits. */
const closeMaxMs = 10_000;

/** `npm run api`: runs one API process. Several may run at once; workers run in processes of their own. */
async function main(): Promise<void> {
  collectStartUp();
  const config = readConfig();
  await awaitServers(config);
  const starting = await answerWhileStarting(config);
  const services = await openServices(config, { role: 'api', onProgress: starting.tell });
  const api = await startApi(services, starting);
  closeWithGrace({ delay: closeMaxMs, logger: false }, async ({ err }) => {
    if (err) services.log.fatal({ err }, 'process failed');
    await api.close();
    await services.close();
  });
  process.stdout.write(`The API listens at ${api.url}\n`);
}

async function startApi(services: Services, starting: Starting) {
  const { db, config, clock, ruleSets } = services;
  const patience = { waitMs, onAway: () => starting.tell('Waiting for MongoDB, which does not answer', true) };
  const org = await withRetries(() => firstOrg(db, config, clock), patience);
  if (config.DEMO === 'on') await withRetries(() => fillDemo(services, org), patience);
  await ruleSets.start();
  collectStartUp();
  return serve(services, createApp(services), serveLimits, starting.handOver());
}

exitOnFailure(main);
