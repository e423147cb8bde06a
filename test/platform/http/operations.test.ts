import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '#base/common/log';
import { freeObject } from '#base/schema/atoms';
import { defineRoute, ok } from '#platform/http/route';
import { createApp } from '#server/app';
import { serve } from '#server/serve';
import { client } from '../../support/client';
import { openTestServer, serveTest } from '../../support/server';
import { openAlongside, testPassword } from '../../support/services';

/** The least time between two checks of readiness, and a little more, so that each check here is a new one. */
const lookEveryMs = 1100;

let server: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  server = await openTestServer({ METRICS_TOKEN: 'a token for metrics' });
});
afterAll(() => server.close());

describe('health', () => {
  test('live answers version and build', async () => {
    const { status, body } = await server.anonymous.send('GET', '/health/live');
    expect([status, body.status]).toEqual([200, 'up']);
  });

  test('ready answers the state of every store', async () => {
    const { status, body } = await server.anonymous.send('GET', '/health/ready');
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'ready', checks: { database: 'up', redis: 'up' } });
  });

  test('stays ready without Redis and says so, whether Redis was missing, went away or came back', async () => {
    const beside = await openAlongside(server.services);
    const serving = await serveTest({ ...beside, org: server.services.org, users: server.services.users });
    const ready = async () => {
      await sleep(lookEveryMs);
      const { status, body } = await client(serving.url).send('GET', '/health/ready');
      return [status, body.status, body.checks.redis];
    };
    beside.redis.disconnect();
    expect(await ready()).toEqual([200, 'ready', 'down']);
    await beside.redis.connect();
    expect(await ready()).toEqual([200, 'ready', 'up']);
    beside.redis.disconnect();
    expect(await ready()).toEqual([200, 'ready', 'down']);
    await serving.close();
    await beside.close();
  });

  test('checks the stores at most once a second', async () => {
    const ping = jest.spyOn(server.services.redis, 'ping');
    const startedAt = Date.now();
    for (let round = 0; round < 20; round += 1) {
      const requests = Array.from({ length: 50 }, () => fetch(`${server.url}/health/ready`));
      for (const answer of await Promise.all(requests)) expect(answer.status).toBe(200);
    }
    const seconds = (Date.now() - startedAt) / 1000;
    expect(ping.mock.calls.length).toBeLessThanOrEqual(1 + Math.ceil(seconds));
    ping.mockRestore();
  });
});

describe('without a database', () => {
  test('requests answer 503 with Retry-After, and ready says so', async () => {
    const beside = await openAlongside(server.services);
    const serving = await serveTest({ ...beside, org: server.services.org, users: server.services.users });
    await beside.db.close();
    const { status, body, headers } = await client(serving.url, server.services.users.admin.token).get('/users');
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 1310, '1']);
    expect((await client(serving.url).send('GET', '/health/ready')).status).toBe(503);
    await serving.close();
    await beside.close();
  });
});

describe('metrics', () => {
  test('count requests by route, not by path', async () => {
    await server.as('admin').get(`/users/${'a'.repeat(24)}`);
    const headers = { authorization: 'Bearer a token for metrics' };
    const { status, body } = await server.anonymous.send('GET', '/metrics', { headers });
    expect(status).toBe(200);
    expect(body).toContain('route="/users/:id"');
    expect(body).not.toContain('aaaaaaaa');
    expect(body).toContain('process_cpu_user_seconds_total');
  });

  test('are not for clients behind a proxy, unless they have the token', async () => {
    const forwarded = { 'x-forwarded-for': '203.0.113.7' };
    expect((await server.anonymous.send('GET', '/metrics', { headers: forwarded })).status).toBe(401);
    const headers = { ...forwarded, authorization: 'Bearer a token for metrics' };
    expect((await server.anonymous.send('GET', '/metrics', { headers })).status).toBe(200);
  });
});

test('the log has a line for each request, without secrets, arguments or bodies', async () => {
  const lines: string[] = [];
  const log = createLog({ LOG_LEVEL: 'info' }, sink(lines));
  const services = { ...server.services, log };
  const serving = await serve(services);
  const { token } = server.services.users.admin;
  await client(serving.url).post('/login', { username: 'admin@test', password: testPassword });
  await client(serving.url, token).get('/users?username=private-name');
  const { body } = await server.as('admin').post('/apikeys', { name: 'Logged', roles: ['reader'] });
  await client(serving.url, body.key).get(`/users/${body.key}`, { headers: { 'x-request-id': body.key } });
  log.info({ password: 'p4ssword', nested: { token }, told: [`of ${body.key}`] }, `careless ${body.key}`);
  await serving.close();
  // The client first reads the document, to check answers against it.
  const [login, users, keyed, careless] = lines
    .map((line) => JSON.parse(line))
    .filter(({ route }) => route !== '/openapi.json');
  expect(login).toMatchObject({ method: 'POST', route: '/login', status: 200, requestId: expect.any(String) });
  expect(users).toMatchObject({
    route: '/users',
    status: 200,
    user: expect.any(String),
    durationMs: expect.any(Number),
  });
  expect(keyed).toMatchObject({ status: 403, user: body._id, path: `/api/v1/users/${body.prefix}_[Redacted]` });
  expect(careless).toMatchObject({ password: '[Redacted]', nested: { token: '[Redacted]' } });
  expect(lines.join()).not.toMatch(/private-name|correct horse|eyJ|p4ssword/);
  expect(lines.join()).not.toContain(body.key.slice(28));
});

test('under load log lines of successful requests are sampled and counted, and those of refused ones kept', async () => {
  const lines: string[] = [];
  const log = createLog({ LOG_LEVEL: 'info' }, sink(lines));
  const config = { ...server.services.config, LOG_LINES_MAX: 5 };
  const serving = await serve({ ...server.services, config, log });
  const ask = (path: string) => fetch(`${serving.url}${path}`).then((answer) => answer.text());
  await Promise.all([...Array(60).fill('/health/live'), ...Array(20).fill('/api/v1/users')].map(ask));
  const parsed = () => lines.map((line) => JSON.parse(line));
  const of = (status: number) => parsed().filter((line) => line.status === status).length;
  const reported = () =>
    parsed()
      .filter(({ msg }) => msg === 'lines of requests left out')
      .reduce((sum, line) => sum + line.lines, 0);
  while (of(200) + reported() < 60) await sleep(10);
  await serving.close();
  expect(of(401)).toBe(20);
  expect(of(200) + reported()).toBe(60);
  expect(reported()).toBeGreaterThan(0);
});

function sink(lines: string[]): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
}

describe('closing', () => {
  let arrived = () => {};
  const hasArrived = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const slow = defineRoute({
    method: 'GET',
    path: '/slow',
    permission: 'open',
    summary: 'Slow',
    responses: { 200: freeObject() },
    handle: async () => {
      arrived();
      await new Promise((resolve) => setTimeout(resolve, 500));
      return ok({ done: true });
    },
  });

  test('answers requests in flight, closes the connections, and accepts no more', async () => {
    const serving = await serve(server.services, createApp(server.services, [slow]));
    const inFlight = client(serving.url).get('/slow');
    await hasArrived;
    const closing = serving.close();
    const { status, headers } = await inFlight;
    expect([status, headers.get('connection')]).toEqual([200, 'close']);
    await closing;
    await expect(client(serving.url).get('/slow')).rejects.toThrow();
  });

  test('resets no connection under load', async () => {
    const serving = await serve(server.services);
    const failures: unknown[] = [];
    let isOver = false;
    let answers = 0;
    const load = Array.from({ length: 16 }, async () => {
      while (!isOver) {
        await client(serving.url, server.services.users.reader.token)
          .get('/myaccount')
          .then(() => {
            answers += 1;
          })
          .catch((error: NodeJS.ErrnoException) => {
            isOver = true;
            failures.push(error.code);
          });
      }
    });
    while (answers < 200) await new Promise((resolve) => setTimeout(resolve, 20));
    await serving.close();
    isOver = true;
    await Promise.all(load);
    expect(failures.filter((code) => code !== 'ECONNREFUSED')).toEqual([]);
  });
});
