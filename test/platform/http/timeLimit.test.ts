import { setTimeout as sleep } from 'node:timers/promises';
import { timeouts } from '#base/db/timeouts';
import { record } from '#base/schema/atoms';
import { defineRoute, ok } from '#platform/http/route';
import { createApp } from '#server/app';
import { serve } from '#server/serve';
import { client } from '../../support/client';
import { stopwatch } from '../../support/givenTime';
import { openTestServices, type TestServices } from '../../support/services';

let services: TestServices;
beforeAll(async () => {
  services = await openTestServices();
});
afterAll(() => services.close());

const slowRoute = (path: string, takesMs: number, answerMaxMs?: number) =>
  defineRoute({
    method: 'GET',
    path,
    permission: 'open',
    summary: 'Answers late',
    responses: { 200: record({}) },
    errors: [503],
    ...(answerMaxMs === undefined ? {} : { answerMaxMs }),
    handle: async ({ endsAt }) => {
      expect(endsAt - performance.now()).toBeLessThanOrEqual(answerMaxMs ?? timeouts.requestMs);
      await sleep(takesMs);
      return ok({});
    },
  });

test('a request beyond its time limit is answered with 503, and one with a longer limit is not', async () => {
  const routes = [
    slowRoute('/slow/all', 60_000),
    slowRoute('/slow/short', 60_000, 200),
    slowRoute('/slow/long', 500, 20_000),
  ];
  const serving = await serve({ ...services, config: { ...services.config, PORT: 0 } }, createApp(services, routes));
  const api = client(serving.url);
  await api.get('/slow/short');
  const startedAt = performance.now();
  const takenMs = stopwatch();
  const answers = await Promise.all(['/slow/all', '/slow/short', '/slow/long'].map((path) => api.get(path)));
  const [ms, counted] = [performance.now() - startedAt, takenMs()];
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 200]);
  expect(answers[0]?.body.code).toBe(1310);
  expect(answers[0]?.headers.get('retry-after')).toBe('1');
  expect(ms).toBeGreaterThanOrEqual(timeouts.requestMs - 50);
  expect(counted).toBeLessThan(timeouts.requestMs + 3000);
  await serving.close();
});

test('what a route has kept of a body is released when its work ends, also when that is after the answer', async () => {
  const events: string[] = [];
  const route = defineRoute({
    method: 'POST',
    path: '/slow/upload',
    key: 'changesNothing',
    permission: 'any',
    summary: 'Answers late',
    responses: { 200: record({}) },
    errors: [503],
    answerMaxMs: 200,
    receives: { types: ['text/csv'], example: '' },
    receive: async () => ({ body: {}, fingerprint: {}, release: async () => void events.push('released') }),
    handle: async () => {
      await sleep(1000);
      events.push('done');
      return ok({});
    },
  });
  const serving = await serve({ ...services, config: { ...services.config, PORT: 0 } }, createApp(services, [route]));
  const { status } = await client(serving.url, services.users.admin.token).post('/slow/upload', undefined, {
    raw: 'sku',
    headers: { 'content-type': 'text/csv' },
  });
  expect([status, events]).toEqual([503, []]);
  while (events.length < 2) await sleep(20);
  expect(events).toEqual(['done', 'released']);
  await serving.close();
});
