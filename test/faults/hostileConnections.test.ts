import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { stopwatch } from '../support/givenTime';
import { hostileClients } from '../support/hostileClients';
import { openSockets } from '../support/openSockets';
import { type ServiceProcess, startApi } from '../support/processes';
import { openTestServices, type TestServices } from '../support/services';

/** The number of hostile clients; `npm run faults` uses as many as an attacker can open from one machine. */
const clientCount = process.env.FAULTS === 'full' ? 1000 : 150;

/** Sum of the headers' time limit, the interval of its check, the time to end a connection, and a reserve. */
const goneWithinMs = 40_000;

/** The longest that another client may wait meanwhile. On an idle machine it waits a few milliseconds. */
const neighbourMaxMs = 5000;

let services: TestServices;
let api: ServiceProcess & { url: string };
let port: number;
beforeAll(async () => {
  services = await openTestServices({ ORG: 'test', rulesDir: '/nonexistent' });
  api = await startApi(services.config, { entry: 'test/support/impatientApi.ts' });
  port = Number(new URL(api.url).port);
});
afterAll(async () => {
  await api.stop();
  await services.close();
});

/** Measures how long another client waits for an answer, in milliseconds. */
async function neighbourWaits(): Promise<number> {
  const takenMs = stopwatch();
  const headers = { authorization: `Bearer ${services.users.reader.token}`, connection: 'close' };
  const { status } = await fetch(`${api.url}/api/v1/myaccount`, { headers });
  expect(status).toBe(200);
  return takenMs();
}

test('clients that trickle headers, send garbage, half a request or nothing, and ignore the end, keep no descriptor', async () => {
  const kinds = ['trickles headers', 'sends garbage', 'sends garbage without an end', 'sends nothing'] as const;
  const clients = await Promise.all(
    kinds.map((kind) => hostileClients(port, kind, Math.ceil(clientCount / kinds.length))),
  );
  const waits: number[] = [];
  const deadline = Date.now() + goneWithinMs;
  let left = Number.POSITIVE_INFINITY;
  while (left > 0 && Date.now() < deadline) {
    waits.push(await neighbourWaits());
    await sleep(200);
    left = await openSockets(port);
  }
  for (const each of clients) each.stop();
  expect(left).toBe(0);
  expect(Math.max(...waits)).toBeLessThan(neighbourMaxMs);
});

/** Sends `count` requests at once on one connection, and collects the ids of the answers. */
function pipelined(text: string, count: number) {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  const received = { ids: [] as number[] };
  let rest = '';
  socket.on('data', (chunk) => {
    rest += chunk;
    const lines = rest.split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (/^x-request-id: /i.test(line)) received.ids.push(Number(line.slice(14)));
    }
  });
  socket.write(Array.from({ length: count }, (_unused, n) => text.replace('ID', String(n))).join(''));
  return { received, end: () => socket.destroy() };
}

const pipelinedCount = process.env.FAULTS === 'full' ? 5000 : 1000;

test('thousands of pipelined readiness requests are all answered in order, and delay no other client', async () => {
  const ask = 'GET /health/ready HTTP/1.1\r\nHost: a\r\nX-Request-Id: ID\r\n\r\n';
  const flood = pipelined(ask, pipelinedCount);
  const waits: number[] = [];
  while (flood.received.ids.length < pipelinedCount) waits.push(await neighbourWaits());
  flood.end();
  expect(flood.received.ids).toEqual(Array.from({ length: pipelinedCount }, (_unused, n) => n));
  expect(Math.max(...waits)).toBeLessThan(neighbourMaxMs);
}, 240_000);

test('thousands of pipelined logins delay no other client', async () => {
  const body = JSON.stringify({ username: 'nobody', password: 'a wrong password' });
  const head = `Host: a\r\nContent-Type: application/json\r\nX-Request-Id: ID\r\nContent-Length: ${body.length}`;
  const flood = pipelined(`POST /api/v1/login HTTP/1.1\r\n${head}\r\n\r\n${body}`, pipelinedCount);
  const waits: number[] = [];
  for (let n = 0; n < 20; n += 1) waits.push(await neighbourWaits());
  flood.end();
  expect(Math.max(...waits)).toBeLessThan(neighbourMaxMs);
  expect(flood.received.ids).toEqual(flood.received.ids.map((_id, n) => n));
}, 240_000);
