import { connect, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { createLog } from '#base/common/log';
import { freeObject } from '#base/schema/atoms';
import { defineRoute, ok } from '#platform/http/route';
import { serveLimits } from '#platform/http/serveLimits';
import { createApp } from '#server/app';
import { allRoutes } from '#server/routes';
import { type Serving, serve } from '#server/serve';
import { drawn } from '../../support/scale';
import { openTestServices, type TestServices } from '../../support/services';

interface Line {
  level: number;
  msg: string;
  requestId?: string;
  status?: number;
  route?: string;
  clientIsGone?: boolean;
}

const infoLevel = 30;

/** A route with an answer larger than the buffers between client and server. The client may be gone when it is made. */
const late = defineRoute({
  method: 'POST',
  path: '/late',
  permission: 'open',
  key: 'refused',
  summary: 'Late',
  responses: { 200: freeObject() },
  body: freeObject(),
  handle: async () => {
    await sleep(300);
    return ok({ text: 'x'.repeat(8_000_000) });
  },
});

let services: TestServices;
let serving: Serving;
const lines: Line[] = [];
beforeAll(async () => {
  services = await openTestServices();
  const log = createLog({ LOG_LEVEL: 'info' }, sink());
  const app = createApp({ ...services, log }, [...allRoutes, late]);
  serving = await serve({ ...services, log }, app, {
    ...serveLimits,
    headersMs: 800,
    requestMs: 800,
    lateCheckMs: 100,
    idleGraceMs: 0,
  });
  // The cases mostly wait, so all run at once; each has its own log lines.
  for (const [n, one] of cases.entries()) {
    const ended = breakOff(String(n), one);
    ended.catch(() => undefined);
    broken.push(ended);
  }
});
afterAll(async () => {
  await serving.close();
  await services.close();
});

function sink(): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
}

const packed = gzipSync(JSON.stringify({ type: 'Accrual', ext: 'x'.repeat(5000) })).subarray(0, 40);

/** The part of a request that is sent before its client disconnects. */
const beginnings: [string, string, Record<string, string | number>, string | Buffer][] = [
  ['nothing of a body', '/api/v1/activity', { 'Content-Length': 100 }, ''],
  ['a part of a body', '/api/v1/activity', { 'Content-Length': 100 }, '{"type":'],
  ['a part of a packed body', '/api/v1/activity', { 'Content-Length': 100, 'Content-Encoding': 'gzip' }, packed],
  ['a part of a body in chunks', '/api/v1/activity', { 'Transfer-Encoding': 'chunked' }, '8\r\n{"type":\r\n'],
  ['a part of a chunk', '/api/v1/activity', { 'Transfer-Encoding': 'chunked' }, '80\r\n{"type":'],
  ['a part of a login', '/api/v1/login', { 'Content-Length': 100 }, '{"username":'],
  ['a whole request, and goes before the answer', '/api/v1/late', { 'Content-Length': 2 }, '{}'],
];

const departures: Record<string, (socket: Socket) => unknown> = {
  'ends its side': (socket) => socket.end(),
  'goes away': (socket) => socket.destroy(),
  'resets the connection': (socket) => socket.resetAndDestroy(),
  'stays and sends no more': () => undefined,
};

const cases = beginnings.flatMap(([name, ...rest]) =>
  Object.keys(departures).flatMap((departure) =>
    [0, 30].map((pauseMs) => [name, departure, pauseMs, ...rest] as const),
  ),
);
const numbered = cases.map(([name, departure, pauseMs], n) => [name, departure, pauseMs, n] as const);

/** The log line of each case, by its number. */
const broken: Promise<Line | undefined>[] = [];

/**
 * Sends the beginning of a request and disconnects.
 * @returns the log line of the request
 */
async function breakOff(id: string, [, departure, pauseMs, path, headers, body]: (typeof cases)[number]) {
  const socket = connect(Number(new URL(serving.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  const all = {
    Host: 'a',
    'Content-Type': 'application/json',
    'X-Request-Id': id,
    Authorization: `Bearer ${services.users.client.token}`,
    ...headers,
  };
  const head = [`POST ${path} HTTP/1.1`, ...Object.entries(all).map(([name, value]) => `${name}: ${value}`)];
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), Buffer.from(body)]));
  // Without a pause the client is gone before its token is checked.
  if (pauseMs > 0) await sleep(pauseMs);
  departures[departure]?.(socket);
  const line = await lineOf(id);
  socket.destroy();
  return line;
}

test.each(numbered)(
  'a client that sends %s and then %s (after %i ms) counts as no failure of the service',
  async (_name, _departure, _pauseMs, n) => {
    const line = await broken[n];
    expect(lines.filter(({ level }) => level > infoLevel)).toEqual([]);
    // A client that is gone gets no answer, so its request is counted as one that was broken off.
    if (line) expect([200, 400, 499]).toContain(line.status);
    if (line?.clientIsGone) expect(line.status).not.toBe(400);
  },
);

/** The log line of the request; undefined when it was reset before it was read. */
async function lineOf(id: string): Promise<Line | undefined> {
  for (let waited = 0; waited < 4000; waited += 50) {
    const line = lines.find(({ msg, requestId }) => msg === 'request' && requestId === id);
    if (line) return line;
    await sleep(50);
  }
  return undefined;
}

test('every request whose body breaks off ends', async () => {
  const socket = connect(Number(new URL(serving.url).port), '127.0.0.1');
  const headers = `Host: a\r\nX-Request-Id: held\r\nAuthorization: Bearer ${services.users.client.token}\r\nContent-Type: application/json\r\n`;
  socket.write(`POST /api/v1/activity HTTP/1.1\r\n${headers}Content-Encoding: gzip\r\nContent-Length: 100\r\n\r\n`);
  socket.write(packed);
  await sleep(100);
  socket.destroy();
  expect(await lineOf('held')).toMatchObject({ status: 499, clientIsGone: true });
});

const bodied = allRoutes.filter(({ body, receive }) => body || receive);

/** What is sent of a body, and with which headers, before its client leaves at once. */
const parts: Record<string, [Record<string, string | number>, string | Buffer]> = {
  half: [{ 'Content-Length': 100 }, '{"type":'],
  'half in chunks': [{ 'Transfer-Encoding': 'chunked' }, '8\r\n{"type":\r\n'],
  'half packed': [{ 'Content-Length': 100, 'Content-Encoding': 'gzip' }, packed],
  whole: [{ 'Content-Length': 2 }, '{}'],
};

/** Sends a part of a request to a route and leaves, after some turns of the event loop or none. */
async function leave(route: (typeof bodied)[number], part: keyof typeof parts, turns: number): Promise<void> {
  const [headers, body] = parts[part] ?? [{}, ''];
  const path = `/api/v1${route.path.replace(/:\w+/g, '0'.repeat(24))}${route.receive ? '?kind=members' : ''}`;
  const type = route.receive ? 'text/csv' : 'application/json';
  const all = { Host: 'a', 'Content-Type': type, 'X-Request-Id': 'left', ...headers };
  const token = services.users['ledger-admin'].token;
  const lines = Object.entries({ ...all, Authorization: `Bearer ${token}` }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const socket = connect(Number(new URL(serving.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(
    Buffer.concat([
      Buffer.from(`${[`${route.method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`),
      Buffer.from(body),
    ]),
  );
  for (let turn = 0; turn < turns; turn += 1) await sleep(1);
  socket.destroy();
}

test.each(drawn(Object.keys(parts)))(
  'a client that leaves after a body (%s) counts as no failure of the service, on any route',
  async (part) => {
    const before = lines.length;
    for (const route of bodied) await Promise.all([0, 1, 3].map((turns) => leave(route, part, turns)));
    const all = () => lines.slice(before).filter(({ msg, requestId }) => msg === 'request' && requestId === 'left');
    let counted = -1;
    while (counted < all().length) {
      counted = all().length;
      await sleep(1000);
    }
    expect(lines.slice(before).filter(({ level }) => level > infoLevel)).toEqual([]);
    expect(all().filter(({ status = 0 }) => status >= 500)).toEqual([]);
    expect(all().filter(({ status }) => status === 499).length).toBeGreaterThan(bodied.length / 4);
    if (part !== 'whole') expect(all().filter(({ status }) => status === 200)).toEqual([]);
    const measured = await (await fetch(`${serving.url}/metrics`)).text();
    expect(measured).toContain('status="499"');
    expect(measured).not.toMatch(/^http_request_duration_seconds_count\{.*status="500"/m);
  },
);
