import closeWithGrace from 'close-with-grace';
import { readConfig } from '#platform/infrastructure/config';
import { serveWorker } from '#server/serve';
import { openServices } from '#server/services/services';
import { answerWhileStarting } from '#server/startUp/answerWhileStarting';
import { awaitServers } from '#server/startUp/awaitServers';
import { collectStartUp } from '#server/startUp/collectStartUp';
import { exitOnFailure } from '#server/startUp/exitOnFailure';
import { startWorkers } from './startWorkers';

/** How long work in progress may take when the process stops. Then the process exits, and another worker takes over. */
const closeMaxMs = 10_000;

/** `npm run worker`: runs one worker process, which serves its health and metrics. Several may run at once. */
async function main(): Promise<void> {
  collectStartUp();
  const config = readConfig();
  await awaitServers(config);
  const starting = await answerWhileStarting({ HOST: config.HOST, PORT: config.WORKER_PORT });
  const services = await openServices(config, { role: 'worker', onProgress: starting.tell });
  const serving = await serveWorker(services, starting.handOver());
  await services.ruleSets.start();
  collectStartUp();
  const workers = await startWorkers(services);
  closeWithGrace({ delay: closeMaxMs, logger: false }, async ({ err }) => {
    if (err) services.log.fatal({ err }, 'process failed');
    await Promise.all([workers.close(), serving.close()]);
    await services.close();
  });
  process.stdout.write(`The worker runs; its health and metrics are at ${serving.url}\n`);
}

exitOnFailure(main, 'WORKER_PORT');
