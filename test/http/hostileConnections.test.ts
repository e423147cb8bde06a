import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from '../../src/app';
import { serveLimits } from '../../src/http/serveLimits';
import { type Serving, serve } from '../../src/serve';
import { attacks, hostileClients } from '../support/hostileClients';
import { openSockets } from '../support/openSockets';
import { openTestServices, type TestServices } from '../support/services';

/** The service's own limits, shorter. */
const limits = {
  ...serveLimits,
  ...{ headersMs: 600, requestMs: 1200, lateCheckMs: 200, stalledMs: 600, keepAliveMs: 500, lingerMs: 200 },
};

let services: TestServices;
let serving: Serving;
let port: number;
beforeAll(async () => {
  services = await openTestServices({ MAX_CONNECTIONS: 64 });
  serving = await serve(services, createApp(services), limits);
  port = Number(new URL(serving.url).port);
});
afterAll(async () => {
  await serving.close();
  await services.close();
});

const live = () => fetch(`${serving.url}/health/live`, { headers: { connection: 'close' } });

test.each(Object.keys(attacks) as (keyof typeof attacks)[])(
  'a client that %s keeps no descriptor',
  async (attack) => {
    const clients = await hostileClients(port, attack, 20);
    expect((await live()).status).toBe(200);
    const deadline = Date.now() + 15_000;
    while ((await openSockets(port)) > 0 && Date.now() < deadline) await sleep(50);
    const left = await openSockets(port);
    clients.stop();
    expect(left).toBe(0);
  },
  20_000,
);
