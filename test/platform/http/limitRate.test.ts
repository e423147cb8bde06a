import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { client, type Response } from '../../support/client';
import { type ServiceProcess, startApi } from '../../support/processes';
import { openTestServer } from '../../support/server';

const rulesDir = mkdtempSync(path.join(tmpdir(), 'loyalty-no-rules-'));
let server: Awaited<ReturnType<typeof openTestServer>>;
/** A second process beside that of the test, on the same stores. */
let other: ServiceProcess & { url: string };
beforeAll(async () => {
  server = await openTestServer({ RATE_LIMIT: 5, ORG: 'test', rulesDir });
  other = await startApi(server.services.config);
});
afterAll(async () => {
  await other.stop();
  await server.close();
  rmSync(rulesDir, { recursive: true });
});

/** Requests go to both processes in turn. */
const urlOf = (n: number) => (n % 2 === 0 ? server.url : other.url);

const actual = ['retry-after', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];

const toldBy = ({ headers }: Response) => actual.map((name) => headers.get(name));

test('a user has a limit of requests a minute over all processes, which does not affect others', async () => {
  const { token } = server.services.users.reader;
  const ask = (n: number) => client(urlOf(n), token).get('/myaccount');
  const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => ask(n)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  expect(answers.filter(({ status, body }) => status === 429 && body.code === 1260)).toHaveLength(25);
  const left = answers.filter(({ status }) => status === 200).map(({ headers }) => headers.get('ratelimit-remaining'));
  expect(left.sort()).toEqual(['0', '1', '2', '3', '4']);
  const [retryAfter, limit, remaining, reset] = toldBy(await ask(1));
  expect([limit, remaining, reset]).toEqual(['5', '0', retryAfter]);
  expect(Number(retryAfter)).toBeGreaterThan(0);
  expect(Number(retryAfter)).toBeLessThanOrEqual(60);
  expect((await server.as('admin').get('/myaccount')).status).toBe(200);
});

test('the minute of a user begins with the first request, and the next one has the whole limit again', async () => {
  const { redis, config, users } = server.services;
  const id = users['program-manager'].principal.userId.toHexString();
  const ask = () => server.as('program-manager').get('/myaccount');
  for (let n = 0; n < 5; n += 1) expect((await ask()).status).toBe(200);
  expect((await ask()).status).toBe(429);
  const [key = ''] = await redis.keys(`${config.REDIS_PREFIX}:rate:${id}`);
  expect(await redis.pttl(key)).toBeLessThanOrEqual(60_000);
  await redis.unlink(key); // simulates the end of the minute
  expect(toldBy(await ask())).toEqual([null, '5', '4', '60']);
});

describe('an API key', () => {
  const keyWith = async (fields: object) => {
    const { body } = await server.as('ledger-admin').post('/apikeys', { roles: ['admin'], ...fields });
    return { _id: body._id, ask: (n = 0) => client(urlOf(n), body.key).get('/myaccount') };
  };

  test('has its own limit over all processes, less or more than that of users, which changes at once', async () => {
    for (const rateLimit of [3, 8]) {
      const { _id, ask } = await keyWith({ name: `limit ${rateLimit}`, rateLimit });
      const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => ask(n)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(rateLimit);
      expect(answers.map(({ headers }) => headers.get('ratelimit-limit'))).toEqual(answers.map(() => `${rateLimit}`));
      await server.as('ledger-admin').put(`/apikeys/${_id}`, { rateLimit: 1000 });
      expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
    }
  });

  test('without its own limit has that of users', async () => {
    const { ask } = await keyWith({ name: 'no limit' });
    const answers = await Promise.all(Array.from({ length: 9 }, (_, n) => ask(n)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  });
});

test('without Redis each process counts for itself', async () => {
  server.services.redis.disconnect();
  for (let n = 0; n < 5; n += 1) expect((await server.as('client').get('/myaccount')).status).toBe(200);
  expect((await server.as('client').get('/myaccount')).status).toBe(429);
  expect((await server.as('ledger-admin').get('/myaccount')).status).toBe(200);
});
