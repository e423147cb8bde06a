import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { ObjectId } from 'bson';
import type { Route } from '#platform/http/route';
import { honoursKey, routeBodyMaxBytes, routePaths } from '#platform/http/route';
import { activityBody } from '#records/activities/activity';
import { allRoutes } from '#server/routes';
import { slowness, slownessNow } from '../support/givenTime';
import { type Held, type MeasuredApi, startMeasuredApi } from '../support/measuredApi';
import { insertSamples } from '../support/samples';
import { drawn, runSeed, testScale } from '../support/scale';
import { openTestServer } from '../support/server';
import { largest, longTexts, type WorstBody, worstBodies } from './worstBodies';
import { ruleFiles } from './worstRuleFiles';

/**
 * docs/design/http.md: no request of any size holds the event loop for more than 100 ms. The test measures CPU time of
 * the API's main thread between two turns of its event loop. Work of other processes and threads does not count. Cold
 * processor caches and a garbage collection can double the time, so a body over the limit gets two more tries. Times are
 * as on the reference machine.
 */
const heldMaxMs = 100;
/** The limit for six of the largest bodies at once. One garbage collection of all of them takes up to 70 ms more. */
const heldBySixMaxMs = 200;
const tries = 3;
/**
 * The most CPU time of a request. It has 4.5 s to be answered (docs/design/http.md), so one that uses less and gets 503
 * was kept waiting by a busy machine.
 */
const usedMaxMs = 2500;
const isFault = (status: number, { usedMs }: Held) => status >= 500 && !(status === 503 && usedMs < usedMaxMs);

/** Routes that may answer 5xx: sample records match their schemas but have no valid ledger, so valid requests fail. */
const withoutLedger: readonly string[] = ['/activity/:id/cancel', '/accrualitems/:id'];

let server: Awaited<ReturnType<typeof openTestServer>>;
let api: MeasuredApi;
const id = new ObjectId();

beforeAll(async () => {
  server = await openTestServer({ ORG: 'test' });
  await insertSamples(server.services, id);
  api = await startMeasuredApi(server.services.config);
  // Warm-up: code that compiles at its first use must not count for a body.
  for (const route of withBody) await send(route, '{}');
});
afterAll(async () => {
  await api.stop();
  await server.close();
});

const withBody = allRoutes.filter(({ body }) => body);

/** The most memory that the process may use. Code and caches take about 250 MB, six bodies of 16 MB the rest. */
const memoryMaxBytes = 1_000 * 1_048_576;

const listOf = (length: number, text: string) => `[${Array.from({ length }, () => text).join(',')}]`;
const unknownFields = (count: number) => `{${Array.from({ length: count }, (_unused, n) => `"k${n}":1`).join(',')}}`;

/** Lists of bodies with the greatest length that is allowed. */
const fullLists: WorstBody[] = [
  ['1,000 large activities', (bytes) => listOf(1000, largest(activityBody, bytes / 1000 - 2))],
  ['15 activities of a megabyte', () => listOf(15, largest(activityBody, 1_000_000))],
  ['15 bodies of 29,000 names', () => listOf(15, unknownFields(29_000))],
  ['1,000 bodies of 100 faults', () => listOf(1000, unknownFields(150))],
];

/** Sends a body to a route and returns the status of the answer. */
async function send(route: Route, body: string, query = ''): Promise<number> {
  const [path = ''] = routePaths(route);
  const required = Object.entries(route.query ?? {}).flatMap(([name, { required, schema }]) =>
    required ? [`${name}=${schema.enum?.[0] ?? ''}`] : [],
  );
  const args = [...required, query].filter(Boolean).join('&');
  const { token } = server.services.users['ledger-admin'];
  const answer = await fetch(`${api.url}${path.replace(/:\w+/g, id.toHexString())}${args ? `?${args}` : ''}`, {
    method: route.method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...freshKey(route) },
    body,
  });
  await answer.arrayBuffer();
  return answer.status;
}

/** A key costs a hash of the whole body. */
const freshKey = (route: Route) => (honoursKey(route) ? { 'idempotency-key': randomUUID() } : undefined);

async function heldBy(run: () => Promise<unknown>, maxMs = heldMaxMs): Promise<Held> {
  let best = await heldOnce(run, maxMs);
  for (let attempt = 1; attempt < tries && best.longestMs > maxMs; attempt += 1) {
    const again = await heldOnce(run, maxMs);
    if (again.longestMs < best.longestMs) best = again;
  }
  return best;
}

async function heldOnce(run: () => Promise<unknown>, maxMs: number): Promise<Held> {
  const { longestMs, usedMs, peakBytes } = await api.during(run);
  // How slow the machine is costs time to measure, so a time within the limit is not compared with this moment. What
  // takes more than twice as long is never the machine's fault.
  const slower =
    longestMs > maxMs * slowness() ? Math.min(Math.max(slowness(), slownessNow()), 2 * slowness()) : slowness();
  return { longestMs: longestMs / slower, usedMs: usedMs / slower, peakBytes };
}

/** True for routes that process their bodies in a costly way of their own; they get more kinds of bodies. */
const isCostly = ({ path }: Route) => /^\/(?:login|activity|activities\/bulk|members|rules\/\w+)$/.test(path);

/** Another one for each run, so that the runs together send all kinds to all routes. */
const firstKind = runSeed() % 1000;

/**
 * Returns a part of the kinds for one route; the next route gets others. HELD_ALL=1 or TEST_SCALE=12 gives all to all.
 */
function inTurn<Kind>(kinds: readonly Kind[], index: number, part: number): Kind[] {
  const every = process.env.HELD_ALL ? 1 : Math.max(1, Math.round(part / testScale));
  return kinds.filter((_kind, at) => (at + index + firstKind) % every === 0);
}

const largestOf = ({ body }: Route): WorstBody => [
  'the largest that fits',
  (bytes) => largest(body ?? ({} as never), bytes),
];
const limitOf = (route: Route) => routeBodyMaxBytes(route, server.services.config.bodyMaxBytes);

/** PATCH means the same as PUT, so one of them is enough. */
const measured = withBody.filter(({ method }) => method !== 'PATCH');
/** Costly routes share the kinds of bodies among them: a bulk post gets those that a single post does not get. */
const costly = measured.filter(isCostly);

describe.each(measured.map((route, index) => [`${route.method} ${route.path}`, route, index] as const))(
  '%s',
  (label, route, index) => {
    const bodies: WorstBody[] = [
      ...(isCostly(route) ? inTurn(worstBodies, costly.indexOf(route), 4) : inTurn(worstBodies, index, 12)),
      ...inTurn([...longTexts(route.body ?? ({} as never)), largestOf(route)], index, isCostly(route) ? 1 : 3),
      ...(route.body?.type === 'array' ? inTurn(fullLists, index, 2) : []),
      ...(route.path === '/rules/check' ? inTurn(ruleFiles, index, 2) : []),
    ];

    it('blocks the event loop for no more than 100 ms, whatever body it gets', async () => {
      const over: string[] = [];
      for (const [name, make] of bodies) {
        const text = make(limitOf(route) - 100);
        let status = 0;
        const current = await heldBy(async () => {
          status = await send(route, text);
        });
        tell(label, `${name} (${status})`, current);
        if (current.longestMs > heldMaxMs) over.push(`${name}: ${current.longestMs.toFixed(0)} ms, ${status}`);
        if (isFault(status, current) && !withoutLedger.includes(route.path)) over.push(`${name}: ${status}`);
      }
      expect(over).toEqual([]);
    }, 600_000);
  },
);

describe('before authentication', () => {
  const form = 'application/x-www-form-urlencoded';
  const names = (count: number) => Array.from({ length: count }, (_unused, n) => `f${n}=`).join('&');

  it.each([
    ['80,000 names of a form', names(80_000), form, 413],
    ['as many names of a form as fit', names(500), form, 422],
    ['one name of a form, as often as fits', 'a&'.repeat(2000), form, 422],
    ['16 MB of a form', 'a&'.repeat(8_000_000), form, 413],
    ['a body of 5 KB', JSON.stringify({ username: 'a', password: 'b'.repeat(5000) }), 'application/json', 413],
    ['brackets', '['.repeat(4000), 'application/json', 400],
  ])('%s at the login are refused at once', async (_name, body, type, status) => {
    let answered = 0;
    const current = await heldBy(async () => {
      // The server may close the connection when it refuses a body before it has read all of it.
      answered = await fetch(`${api.url}/api/v1/login`, {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      }).then(
        (answer) => answer.status,
        () => 413,
      );
    });
    expect(answered).toBe(status);
    expect(current.longestMs).toBeLessThan(heldMaxMs);
  });

  it.each(
    withBody
      .filter(({ permission }) => permission !== 'open')
      .map((route) => [`${route.method} ${route.path}`, route] as const),
  )('%s asks for a token before it reads a body', async (_label, route) => {
    const [path = ''] = routePaths(route);
    const place = `${api.url}${path.replace(/:\w+/g, id.toHexString())}`;
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(place, { method: route.method, headers, body: '['.repeat(50_000) });
    expect(answer.status).toBe(401);
  });
});

describe('many requests at once', () => {
  const bulk = withBody.find(({ path }) => path === '/activities/bulk');

  const all = [...worstBodies.slice(0, 5), ...fullLists];
  // A short run may have none of them in turn; then it takes one.
  const chosen = inTurn(all, 0, 3);

  it.each(chosen.length > 0 ? chosen : drawn(all))(
    'six bulk posts of %s leave every other request its turn',
    async (_name, make) => {
      if (!bulk) throw new Error('there is no bulk post');
      const body = make(limitOf(bulk) - 100);
      const current = await heldBy(
        () => Promise.all(Array.from({ length: 6 }, () => send(bulk, body))),
        heldBySixMaxMs,
      );
      tell('six at once: POST /activities/bulk', _name, current);
      expect(current.longestMs).toBeLessThan(heldBySixMaxMs);
      expect(current.peakBytes).toBeLessThan(memoryMaxBytes);
    },
    300_000,
  );
});

const arguments_: [string, string][] = [
  ['6,000 fields of ext', Array.from({ length: 6000 }, (_unused, n) => `ext.a${n}=1`).join('&')],
  ['20,000 names', Array.from({ length: 9000 }, (_unused, n) => `a${n}`).join('&')],
  [
    'a query of 16 KB',
    `query=${encodeURIComponent(JSON.stringify({ $or: Array.from({ length: 49 }, (_unused, n) => ({ 'ext.a': 'x'.repeat(270) + n })) }))}`,
  ],
  [
    'a query of 500 values',
    `query=${encodeURIComponent(JSON.stringify({ 'ext.a': { $in: Array.from({ length: 500 }, (_unused, n) => n) } }))}`,
  ],
  ['brackets in a query', `query=${'['.repeat(16_000)}`],
  ['a long select', `select=${'a,'.repeat(30_000)}`],
  ['a long sort', `sort=${'-a,'.repeat(20_000)}`],
  ['a long distinct', `distinct=${'a,'.repeat(30_000)}`],
  ['a long populate', `populate=${'a,'.repeat(30_000)}`],
  ['a long regular expression', `ext.a=~${'a'.repeat(60_000)}`],
];
const lists = allRoutes.filter(({ method, openQuery }) => method === 'GET' && openQuery);

it.each(lists.map((route, index) => [`${route.method} ${route.path}`, route, index] as const))(
  '%s blocks the event loop for no more than 100 ms, whatever arguments it gets',
  async (label, route, index) => {
    const { token } = server.services.users['ledger-admin'];
    const [path = ''] = routePaths(route);
    const over: string[] = [];
    for (const [name, args] of inTurn(arguments_, index, 3)) {
      let status = 0;
      const current = await heldBy(async () => {
        const answer = await fetch(`${api.url}${path}?${args}`, { headers: { authorization: `Bearer ${token}` } });
        await answer.arrayBuffer();
        status = answer.status;
      });
      tell(label, `${name} (${status})`, current);
      if (current.longestMs > heldMaxMs || isFault(status, current))
        over.push(`${name}: ${current.longestMs.toFixed(0)} ms, ${status}`);
    }
    expect(over).toEqual([]);
  },
);

/** Appends a row to the table from which docs/reliability.md quotes the highest values. */
function tell(route: string, body: string, { longestMs, peakBytes }: Held): void {
  if (!process.env.HELD_TABLE) return;
  const cells = [route, body, `${longestMs.toFixed(0)} ms`, `${(peakBytes / 1_048_576).toFixed(0)} MB`];
  appendFileSync(process.env.HELD_TABLE, `| ${cells.join(' | ')} |\n`);
}
