import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib';
import Koa from 'koa';
import pino from 'pino';
import { answerErrors, requestId, securityHeaders } from '#platform/http/middleware';
import type { RequestState } from '#platform/http/requestState';
import { serveConsole } from '#server/consoleFiles/serveConsole';

const folder = mkdtempSync(path.join(tmpdir(), 'loyalty-console-'));
const script = `console.log(${JSON.stringify('x'.repeat(4000))});`;
const page =
  '<meta name="console-settings" content="__SETTINGS__"><script nonce="__NONCE__" src="/console/assets/a-1.js">';

mkdirSync(path.join(folder, 'built/assets'), { recursive: true });
const write = (name: string, text: string | Buffer) => writeFileSync(path.join(folder, 'built', name), text);
write('index.html', page);
write('assets/a-1.js', script);
write('assets/a-1.js.gz', gzipSync(script));
write('assets/a-1.js.br', brotliCompressSync(script));
write('assets/icon-2.svg', '<svg/>');
write('secret.txt', 'not served');

let server: http.Server;
let empty: http.Server;
beforeAll(async () => {
  server = await listening(path.join(folder, 'built'));
  empty = await listening(path.join(folder, 'nothing'));
});
afterAll(() => {
  for (const each of [server, empty]) each.close();
  rmSync(folder, { recursive: true });
});

async function listening(built: string): Promise<http.Server> {
  const app = new Koa<RequestState>();
  app.use(requestId);
  app.use(securityHeaders());
  app.use(answerErrors(pino({ level: 'silent' })));
  app.use(serveConsole({ oidc: true }, built));
  app.use((ctx) => {
    ctx.body = 'another route';
  });
  return new Promise((resolve) => {
    const opened = app.listen(0, '127.0.0.1', () => resolve(opened));
  });
}

interface Got {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

function ask(at: string, { method = 'GET', headers = {}, from = server }: AskOptions = {}): Promise<Got> {
  const { port } = from.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port, path: at, method, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      const { statusCode: status = 0, headers: sent } = answer;
      answer.on('end', () => resolve({ status, headers: sent, body: Buffer.concat(parts) }));
    });
    request.on('error', reject).end();
  });
}

interface AskOptions {
  method?: string;
  headers?: Record<string, string>;
  from?: http.Server;
}

const nonceOf = ({ headers }: Got) => /'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1] ?? '';

test.each(['/console/', '/console/members', '/console/members/65f0c0ffee0000000000abcd', '/console/rules/shop/a%2Fb'])(
  '%s is the page, never kept, with a nonce of its own',
  async (at) => {
    const [one, other] = [await ask(at), await ask(at)];
    expect([one.status, one.headers['content-type'], one.headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(nonceOf(one)).toMatch(/^[\w+/]{24}$/);
    expect(nonceOf(one)).not.toBe(nonceOf(other));
    expect(one.body.toString()).toContain(`nonce="${nonceOf(one)}"`);
    expect(one.body.toString()).toContain('content="{&quot;oidc&quot;:true}"');
    expect(one.body.toString()).not.toContain('__');
  },
);

test('the policy allows nothing but files of this host, and styles with the nonce', async () => {
  const got = await ask('/console/');
  expect(String(got.headers['content-security-policy']).split('; ').sort()).toEqual([
    "base-uri 'none'",
    "connect-src 'self'",
    "default-src 'none'",
    "font-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "img-src 'self' data:",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonceOf(got)}'`,
  ]);
});

test.each([
  ['br', 'gzip, deflate, br', 'br'],
  ['gzip', 'gzip', 'gzip'],
  ['nothing', 'br;q=0, identity', undefined],
  ['nothing', undefined, undefined],
])('a file is kept for a year and sent as %s for %s', async (_name, accepted, coding) => {
  const got = await ask(
    '/console/assets/a-1.js',
    accepted === undefined ? {} : { headers: { 'accept-encoding': accepted } },
  );
  expect([got.status, got.headers['content-encoding'], got.headers['content-type']]).toEqual([
    200,
    coding,
    'text/javascript; charset=utf-8',
  ]);
  expect(got.headers['cache-control']).toBe('public, max-age=31536000, immutable, no-transform');
  expect(got.headers.vary).toContain('Accept-Encoding');
  if (coding === 'gzip') expect(gunzipSync(got.body).toString()).toBe(script);
  if (coding === undefined) expect(got.body.toString()).toBe(script);
});

test('a file without a compressed form is sent as it is', async () => {
  const got = await ask('/console/assets/icon-2.svg', { headers: { 'accept-encoding': 'gzip, br' } });
  expect([got.status, got.headers['content-encoding'], got.body.toString()]).toEqual([200, undefined, '<svg/>']);
});

test.each([
  '/console/assets/',
  '/console/assets/b-1.js',
  '/console/assets/a-1.js.gz',
  '/console/assets/..%2Findex.html',
  '/console/assets/../secret.txt',
  '/console/assets/%2e%2e%2fsecret.txt',
])('the console has no file %s', async (at) => {
  const { status, body } = await ask(at);
  expect([status, JSON.parse(body.toString()).code]).toEqual([404, 1500]);
});

test('/console redirects to /console/, and a longer name is another route', async () => {
  const { status, headers } = await ask('/console');
  expect([status, headers.location]).toEqual([308, '/console/']);
  expect((await ask('/consoles')).body.toString()).toBe('another route');
  expect((await ask('/')).body.toString()).toBe('another route');
});

test('HEAD has the headers of the page, and other methods are 405 with Allow', async () => {
  const head = await ask('/console/members', { method: 'HEAD' });
  expect([head.status, head.body.length, nonceOf(head).length]).toEqual([200, 0, 24]);
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    const { status, headers } = await ask('/console/members', { method });
    expect([method, status, headers.allow]).toEqual([method, 405, 'GET, HEAD']);
  }
});

test('a console that was not built is 404, and the answer says how to build it', async () => {
  const { status, body } = await ask('/console/', { from: empty });
  expect([status, JSON.parse(body.toString()).message]).toEqual([404, 'The console is not built: npm run build']);
});
