import { listeningPort } from '#platform/http/openServer';
import { serveLimits } from '#platform/http/serveLimits';
import { createApp } from '#server/app';
import { serve } from '#server/serve';
import { answerWhileStarting } from '#server/startUp/answerWhileStarting';
import { client } from '../../support/client';
import { readContract } from '../../support/contract';
import { openTestServer } from '../../support/server';

let server: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

test('a starting service is live and not ready, says what it does, then hands its port over', async () => {
  const starting = await answerWhileStarting({ HOST: '127.0.0.1', PORT: 0 }, () => undefined);
  const contract = await readContract(server.url);
  const url = `http://127.0.0.1:${starting.port}`;
  const ask = async (path: string) => {
    const answer = await fetch(`${url}${path}`);
    const { status, headers } = answer;
    const body = await answer.json();
    contract.check({
      method: 'GET',
      url: new URL(`${url}${path}`),
      status,
      contentType: headers.get('content-type'),
      body,
    });
    return { status, headers, body };
  };
  expect(await ask('/health/live')).toMatchObject({ status: 200, body: { status: 'up' } });
  expect(await ask('/health/ready')).toMatchObject({ status: 503, body: { status: 'starting' } });
  const progress = 'Migration 2 (members are found by keys), 1 of 2: 4000 of 10000';
  starting.tell(progress);
  expect(await ask('/health/ready?now')).toMatchObject({ status: 503, body: { status: 'migrating', progress } });
  const refused = await ask('/api/v1/members');
  expect(refused).toBeRefused(503, 1310);
  expect(refused.headers.get('retry-after')).toBe('1');
  const listening = starting.handOver();
  const api = await serve(server.services, createApp(server.services), serveLimits, listening);
  expect([api.url, listeningPort(listening)]).toEqual([url, starting.port]);
  expect((await client(url).send('GET', '/health/ready')).body.status).toBe('ready');
  await api.close();
});
