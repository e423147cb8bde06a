import { serveLimits } from '#platform/http/serveLimits';
import { readConfig } from '#platform/infrastructure/config';
import { serve } from '#server/serve';
import { openServices } from '#server/services/services';

/** The service's own limits of connections, but with less time for the headers. */
const limits = { ...serveLimits, headersMs: 3000 };

// An API process like that of `npm run api`, for tests that cannot wait as long as the service does.
async function main(): Promise<void> {
  const services = await openServices(readConfig());
  await services.ruleSets.start();
  const api = await serve(services, undefined, limits);
  process.once('SIGTERM', () => void api.close().then(() => services.close()));
  process.stdout.write(`The API listens at ${api.url}\n`);
}

void main();
