import { openServices, type Services } from '#server/services/services';
import { checkMongo } from '#server/startUp/checkMongo';
import { withRetries } from '#server/startUp/retryPolicy';
import { type MongoProxy, openMongoProxy } from '../../support/mongoProxy';
import { openTestServices, type TestServices } from '../../support/services';

let services: TestServices;
let proxy: MongoProxy;
beforeAll(async () => {
  services = await openTestServices();
  proxy = await openMongoProxy(services.config.MONGODB_URI ?? '');
});
afterEach(() => proxy.admits(() => true));
afterAll(async () => {
  await services.close();
  await proxy.close();
});

/** Cuts the connection of so many commands. What monitors a server has no session, and gets through. */
function cutCommands(times: number): () => number {
  let seen = 0;
  proxy.admits((message) => {
    if (message.includes('lsid')) seen += 1;
    return !message.includes('lsid') || seen > times;
  });
  return () => seen;
}

test('a check continues when the answers of a server are cut off and its pool is cleared', async () => {
  cutCommands(2);
  const reasons: string[] = [];
  const patience = { waitMs: 30_000, onAway: (reason: string) => void reasons.push(reason) };
  await expect(checkMongo(proxy.uri, patience)).resolves.toBeUndefined();
  expect(reasons.length).toBeGreaterThanOrEqual(2);
}, 30_000);

test('a starting process waits for a database that goes away meanwhile, and says so without an address', async () => {
  const seen = cutCommands(6);
  const actual: string[] = [];
  const config = { ...services.config, MONGODB_URI: proxy.uri };
  const started = await openServices(config, { role: 'worker', onProgress: (line) => void actual.push(line) });
  await started.close();
  expect(seen()).toBeGreaterThan(6);
  expect(actual).toContain('Waiting for MongoDB, which does not answer');
  expect(actual.join()).not.toMatch(/:\d{2,5}/);
}, 40_000);

test('a command does not wait for a database and fails at once', async () => {
  cutCommands(Number.POSITIVE_INFINITY);
  const opened: Promise<Services> = openServices({ ...services.config, MONGODB_URI: proxy.uri });
  await expect(opened).rejects.toThrow();
}, 30_000);

test('after its time a start gives up, with the error of the last attempt', async () => {
  let tries = 0;
  const away = () => {
    tries += 1;
    return Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED', tries }));
  };
  await expect(withRetries(away, { waitMs: 1500, onAway: () => undefined })).rejects.toMatchObject({ tries: 2 });
  const fault = () => Promise.reject(new Error('a fault of ours'));
  await expect(withRetries(fault, { waitMs: 60_000, onAway: () => undefined })).rejects.toThrow('a fault of ours');
});
