import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import Koa from 'koa';
import { admissionLimits } from '#base/limits/admission';
import type { RequestState } from '#platform/http/requestState';
import { type Serving, serve } from '#server/serve';
import { openTestServices, type TestServices } from '../../support/services';

let services: TestServices;
let serving: Serving;
/** Lets the server answer the requests that it has. */
let answer: () => void;
beforeAll(async () => {
  services = await openTestServices({});
  const app = new Koa<RequestState>();
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  app.use(async (ctx) => {
    if (ctx.path === '/slow') await asked;
    ctx.body = 'done';
  });
  serving = await serve(services, app);
});
afterAll(async () => {
  await serving.close();
  await services.close();
});

const ask = (path: string) => fetch(`${serving.url}${path}`, { headers: { connection: 'close' } });

test('beyond a burst, a request is refused at once while a batch full is in progress and none is done; health is answered', async () => {
  const slow = Array.from({ length: admissionLimits.waitingMin }, () => ask('/slow'));
  await sleep(1500);
  const refused = await ask('/quick');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await refused.json()).toMatchObject({ code: 1310, messageId: 'http.tooManyAtOnce', status: 503 });
  for (const path of ['/health/live', '/health/ready', '/metrics']) expect((await ask(path)).status).toBe(200);
  answer();
  const statuses = await Promise.all(slow.map(async (each) => (await each).status));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect((await ask('/quick')).status).toBe(200);
});

test('all requests of a burst are begun, however many they are', async () => {
  const burst = await Promise.all(Array.from({ length: 2 * admissionLimits.waitingMin }, () => ask('/slow')));
  expect(new Set(burst.map(({ status }) => status))).toEqual(new Set([200]));
});

test('requests whose bodies do not arrive keep no other from beginning', async () => {
  const trickling = Array.from({ length: 2 * admissionLimits.waitingMin }, () => {
    const sent = request(serving.url, { agent: false, method: 'POST', headers: { 'content-length': '100' } });
    sent.on('error', () => undefined).write('{');
    return sent;
  });
  await sleep(1500);
  expect((await ask('/quick')).status).toBe(200);
  for (const each of trickling) each.destroy();
});
