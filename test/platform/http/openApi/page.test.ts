import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import type { Response } from '../../../support/client';
import { makeDocs } from '../../../support/makeDocs';
import { openTestServer } from '../../../support/server';

let server: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  makeDocs();
  server = await openTestServer();
});
afterAll(() => server.close());

const get = (at: string, headers: Record<string, string> = {}) => server.anonymous.send('GET', at, { headers });
const pages = ['/docs', '/docs/guide'];

/** What a page names in its attributes: other pages, scripts and styles. */
const namedBy = (page: string) =>
  [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, name = '']) => name).filter((name) => name !== 'data:,');

const policyOf = ({ headers }: Response): Record<string, string> =>
  Object.fromEntries(
    (headers.get('content-security-policy') ?? '').split(';').map((each) => each.trim().split(/ (.*)/s).slice(0, 2)),
  );

test.each(pages)('%s is HTML, and what it names answers here', async (at) => {
  const { status, body, headers } = await get(at);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const named = namedBy(body);
  expect(named.length).toBeGreaterThan(1);
  for (const each of named) {
    expect(each).toMatch(/^\/[^/]/);
    expect([each, (await get(each)).status]).toEqual([each, 200]);
  }
});

test('no page, style or start script names another host', async () => {
  for (const at of ['/docs', '/docs/start.js', '/docs/guide.css']) expect((await get(at)).body).not.toContain('://');
  const guide = (await get('/docs/guide')).body;
  const hosts = new Set([...guide.matchAll(/https?:\/\/[^/:]+/g)].map(([host]) => host));
  // Both stand in calls that the guide shows.
  expect(hosts).toEqual(new Set(['http://127.0.0.1', 'https://receiver.example']));
});

test('the policy lets pages load from this host only, and allows the styles of the reference', async () => {
  const usual = policyOf(await get('/docs/guide'));
  expect(usual).toMatchObject({ 'default-src': "'self'", 'img-src': "'self' data:", 'frame-ancestors': "'none'" });
  expect(policyOf(await get('/docs'))).toEqual({ ...usual, 'style-src': "'self' 'unsafe-inline'" });
});

test('the scripts and styles of the pages are in files', async () => {
  for (const at of pages) {
    const { body } = await get(at);
    expect(body).not.toMatch(/<style|style="|<script(?! src=)|\son\w+="/);
  }
});

test.each([...pages, '/docs/scalar.js', '/docs/start.js', '/docs/guide.css'])(
  '%s is kept for an hour, has an ETag, and is compressed',
  async (at) => {
    const { headers, body } = await get(at, { 'accept-encoding': 'gzip' });
    const etag = headers.get('etag') ?? '';
    expect([headers.get('content-encoding'), headers.get('cache-control'), etag]).toEqual([
      'gzip',
      'public, max-age=3600, no-transform',
      expect.stringMatching(/^"\w+"$/),
    ]);
    const again = await get(at, { 'if-none-match': etag });
    expect([again.status, again.body]).toEqual([304, undefined]);
    expect(Number((await get(at, { 'accept-encoding': 'gzip' })).headers.get('content-length'))).toBeLessThan(1.5e6);
    expect(body.length).toBeLessThan(5e6);
  },
);

test('the start script turns off requests to other hosts, and uses only options of the bundle', async () => {
  const bundle = (await get('/docs/scalar.js')).body;
  let start = () => {};
  const requests: unknown[] = [];
  const Scalar = { createApiReference: (...input: unknown[]) => requests.push(...input) };
  const page = {
    Scalar,
    addEventListener: (_event: string, listener: () => void) => {
      start = listener;
    },
  };
  runInNewContext((await get('/docs/start.js')).body, page);
  start();
  expect(requests).toEqual([
    '#reference',
    expect.objectContaining({ url: '/openapi.json', withDefaultFonts: false, telemetry: false, proxyUrl: '' }),
  ]);
  const unknown = Object.keys(Object(requests[1])).filter((option) => !bundle.includes(option));
  expect(unknown).toEqual([]);
  expect(() => runInNewContext("new Function('')", page)).toThrow('content security policy');
  expect((await get('/docs')).body).toContain('id="reference"');
});

test('the reference leads to the guide and to the login, which it has', async () => {
  const { info, paths } = (await get('/openapi.json')).body;
  expect(info.description).toContain('(/docs/guide)');
  const [, tag, method = '', at] = /\(\/docs#tag\/([\w-]+)\/([A-Z]+)(\/[\w/]+)\)/.exec(info.description) ?? [];
  const { tags } = paths[at ?? ''][method.toLowerCase()];
  expect(tags.map((each: string) => each.toLowerCase().replace(' ', '-'))).toEqual([tag]);
});

test('the guide has every step of docs/guide.md and only links that work', async () => {
  const { body } = await get('/docs/guide');
  const text = readFileSync(path.resolve(__dirname, '../../../../docs/guide.md'), 'utf8');
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  expect(headings.length).toBeGreaterThan(10);
  expect([...body.matchAll(/<h\d>(.+)<\/h\d>/g)].map(([, heading]) => heading)).toEqual(headings);
  expect(body).not.toContain('.md"');
  const linked = [...text.matchAll(/\]\(([^)#\s]+\.md)/g)].map(([, target = '']) => path.posix.join('docs', target));
  expect(linked.length).toBeGreaterThan(5);
  for (const place of linked) expect(body).toContain(`${place}</code>`);
});

test.each(['/docs/package.json', '/docs/..%2fpackage.json', '/docs/%2e%2e', '/docs/index.html'])(
  'the service does not serve %s',
  async (at) => {
    expect((await get(at)).status).toBe(404);
  },
);
