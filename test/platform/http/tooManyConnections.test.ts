import { request } from 'node:http';
import Koa from 'koa';
import type { RequestState } from '#platform/http/requestState';
import { type Serving, serve } from '#server/serve';
import { openTestServices, type TestServices } from '../../support/services';

const connectionsMax = 16;

let services: TestServices;
let serving: Serving;
/** Lets the server answer the requests that it has. */
let answer: () => void;
beforeAll(async () => {
  services = await openTestServices({ MAX_CONNECTIONS: connectionsMax });
  const app = new Koa<RequestState>();
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  app.use(async (ctx) => {
    await asked;
    ctx.body = 'done';
  });
  serving = await serve(services, app);
});
afterAll(async () => {
  await serving.close();
  await services.close();
});

interface Answer {
  status: number;
  retryAfter: string | undefined;
  connection: string | undefined;
  body: string;
}

function ask(): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(serving.url, { agent: false, method: 'POST' }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => {
        const { 'retry-after': retryAfter, connection } = response.headers;
        resolve({ status: response.statusCode ?? 0, retryAfter, connection, body });
      });
    });
    sent.on('error', reject).end('x'.repeat(10_000));
  });
}

test('while as many connections are open as may be, and all work, a new one gets 503 and its end; the others are answered', async () => {
  const working = Array.from({ length: connectionsMax }, () => ask());
  const refused = await ask();
  expect(refused).toMatchObject({ status: 503, retryAfter: '1', connection: 'close' });
  expect(JSON.parse(refused.body)).toMatchObject({ code: 1310, messageId: 'http.tooManyConnections' });
  answer();
  for (const each of await Promise.all(working)) expect(each).toMatchObject({ status: 200, body: 'done' });
  // The connections that were answered end within a moment.
  let later = await ask();
  while (later.status === 503) later = await ask();
  expect(later.status).toBe(200);
});
