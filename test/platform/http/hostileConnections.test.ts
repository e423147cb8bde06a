import { setTimeout as sleep } from 'node:timers/promises';
import { serveLimits } from '#platform/http/serveLimits';
import { createApp } from '#server/app';
import { type Serving, serve } from '#server/serve';
import { attacks, hostileClients } from '../../support/hostileClients';
import { openSockets } from '../../support/openSockets';
import { openTestServices, type TestServices } from '../../support/services';

/** The limits of the service, made shorter. */
const limits = {
  ...serveLimits,
  headersMs: 600,
  requestMs: 1200,
  lateCheckMs: 200,
  stalledMs: 600,
  keepAliveMs: 500,
  lingerMs: 200,
};

const names = Object.keys(attacks) as (keyof typeof attacks)[];

let services: TestServices;
let servings: Serving[];
/** The outcome of each attack. Attacks mostly wait, so all run at once, each against a server of its own. */
let outcomes: Promise<Outcome>[];
beforeAll(async () => {
  services = await openTestServices({ MAX_CONNECTIONS: 64 });
  servings = await Promise.all(names.map(() => serve(services, createApp(services), limits)));
  outcomes = servings.map(({ url }, n) => attacked(url, names[n] ?? 'sends nothing'));
  for (const each of outcomes) each.catch(() => undefined);
});
afterAll(async () => {
  await Promise.all(servings.map((serving) => serving.close()));
  await services.close();
});

interface Outcome {
  /** The status that another client gets during the attack. */
  status: number;
  /** Connections that are still open after a sufficient time. */
  left: number;
}

async function attacked(url: string, attack: keyof typeof attacks): Promise<Outcome> {
  const port = Number(new URL(url).port);
  const clients = await hostileClients(port, attack, 20);
  const { status } = await fetch(`${url}/health/live`, { headers: { connection: 'close' } });
  const deadline = Date.now() + 15_000;
  while ((await openSockets(port)) > 0 && Date.now() < deadline) await sleep(50);
  const left = await openSockets(port);
  clients.stop();
  return { status, left };
}

test.each(names.map((name, n) => [name, n] as const))('a client that %s keeps no descriptor', async (_name, n) => {
  expect(await outcomes[n]).toEqual({ status: 200, left: 0 });
});
