import { readConfig } from '../../src/backing/config';
import { serveLimits } from '../../src/http/serveLimits';
import { serve } from '../../src/serve';
import { openServices } from '../../src/services/services';

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
