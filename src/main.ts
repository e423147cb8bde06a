import closeWithGrace from 'close-with-grace';
import { firstOrg } from './auth/firstOrg';
import { type Config, ConfigError, readConfig } from './config';
import { checkMongo, checkRedis } from './embedded/checkServers';
import { progressTo } from './embedded/progress';
import { StartError } from './embedded/startError';
import { serve } from './http/serve';
import { openServices, type Services } from './services';

/** How long requests in flight and connections have at the end of the process; then it is killed. */
const closeMaxMs = 10_000;

/** `npm run api`: one API process, of which there may be many; workers run beside it. */
async function main(): Promise<void> {
  const config = readConfig();
  await checkServers(config);
  const services = await openServices(config);
  const api = await startApi(services);
  closeWithGrace({ delay: closeMaxMs, logger: false }, async ({ err }) => {
    if (err)
      services.log.fatal({ error: { name: err.name, message: err.message, stack: err.stack } }, 'process failed');
    await api.close();
    await services.close();
  });
  process.stdout.write(`The API listens at ${api.url}\n`);
}

async function startApi(services: Services) {
  const { db, config, clock, ruleSets } = services;
  await firstOrg(db, config, clock);
  await ruleSets.start();
  return serve(services);
}

/** Says in one line what is wrong with a backing service, where a driver would say it in ten. */
async function checkServers({ MONGODB_URI, REDIS_URL }: Config): Promise<void> {
  if (MONGODB_URI === undefined || REDIS_URL === undefined) return;
  await Promise.all([checkMongo(MONGODB_URI), checkRedis(REDIS_URL, progressTo(process.stderr))]);
}

/** Gives the lines that tell a person why the process cannot start. */
function linesOf(error: unknown): string[] {
  if (error instanceof ConfigError) return error.lines;
  if (error instanceof StartError) return [error.message];
  return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
}

main().catch((error: unknown) => {
  for (const line of linesOf(error)) process.stderr.write(`${line}\n`);
  process.exit(1);
});
