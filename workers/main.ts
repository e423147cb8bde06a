import closeWithGrace from 'close-with-grace';
import { readConfig } from '../src/backing/config';
import { openServices } from '../src/services/services';
import { awaitServers } from '../src/startUp/checkServers';
import { collectStartUp } from '../src/startUp/collectStartUp';
import { exitOnFailure } from '../src/startUp/exitOnFailure';
import { startWorkers } from './startWorkers';

/** How long work in hand has at the end of the process; then it is killed, and another worker takes it up. */
const closeMaxMs = 10_000;

/** `npm run worker`: one worker process, of which there may be many. */
async function main(): Promise<void> {
  collectStartUp();
  const config = readConfig();
  await awaitServers(config);
  const services = await openServices(config);
  await services.ruleSets.start();
  collectStartUp();
  const workers = await startWorkers(services);
  closeWithGrace({ delay: closeMaxMs, logger: false }, async ({ err }) => {
    if (err) services.log.fatal({ err }, 'process failed');
    await workers.close();
    await services.close();
  });
  process.stdout.write('The worker runs\n');
}

exitOnFailure(main);
