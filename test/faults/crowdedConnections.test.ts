import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveLimits } from '#platform/http/serveLimits';
import { type ServiceProcess, startApi } from '../support/processes';
import { openTestServices, type TestServices } from '../support/services';

/** More than Node keeps by default (511), and no more than this machine and the service do. */
const somaxconn = Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));
const clientCount = Math.min(1500, somaxconn - 100, serveLimits.unacceptedMax - 100);

let services: TestServices;
let api: ServiceProcess & { url: string };
beforeAll(async () => {
  services = await openTestServices({ ORG: 'test', rulesDir: '/nonexistent' });
});
beforeEach(async () => {
  api = await startApi(services.config);
});
afterEach(() => api.kill());
afterAll(() => services.close());

/** Asks on a connection of its own. @returns the status line; the code of the error of a connection that is reset */
async function ask(): Promise<string> {
  const { port, hostname } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  socket.write('GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  const answer = await text(socket).catch(({ code }: NodeJS.ErrnoException) => `${code}`);
  return answer.split('\r\n')[0] ?? '';
}

/** While the process accepts nothing, as in a long turn of its event loop, clients connect and ask. */
async function askAtOnce(count: number): Promise<{ answers: Promise<string[]> }> {
  process.kill(api.pid, 'SIGSTOP');
  const answers = Promise.all(Array.from({ length: count }, () => ask()));
  await sleep(2000);
  return { answers };
}

test('the number of clients is greater than what Node keeps by default', () => {
  expect(clientCount).toBeGreaterThan(511);
});

test('clients that connect while a process is busy are all answered, and none is reset', async () => {
  const { answers } = await askAtOnce(clientCount);
  process.kill(api.pid, 'SIGCONT');
  expect(new Set(await answers)).toEqual(new Set(['HTTP/1.1 200 OK']));
});

test('clients that connected before a process is stopped are all answered, also when none is accepted yet', async () => {
  const { answers } = await askAtOnce(clientCount / 3);
  const stopped = api.stop();
  process.kill(api.pid, 'SIGCONT');
  expect(new Set(await answers)).toEqual(new Set(['HTTP/1.1 200 OK']));
  expect(await stopped).toBe(0);
});
