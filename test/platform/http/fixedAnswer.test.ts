import { gunzipSync } from 'node:zlib';
import { fixedAnswer } from '#platform/http/fixedAnswer';
import { docsRoutes } from '#platform/http/openApi/docs';
import type { Request } from '#platform/http/route';
import { allRoutes } from '#server/routes';
import { resources } from '#server/services/resources';
import { makeDocs } from '../../support/makeDocs';

beforeAll(makeDocs);

const asking = (encoding?: string, file = '') =>
  ({ headers: { 'accept-encoding': encoding }, params: { file } }) as unknown as Request;
const options = { type: 'text/plain', cacheControl: 'no-cache' };

test.each([
  ['/openapi.json', ''],
  ['/docs', ''],
  ['/docs/guide', ''],
  ...['scalar.js', 'start.js', 'guide.css'].map((file) => ['/docs/:file', file]),
])('%s %s is made and compressed once, and repeated with equal bytes', async (path = '', file) => {
  const route = docsRoutes(allRoutes, resources).find((each) => each.path === path);
  for (const encoding of ['gzip', 'identity', 'br']) {
    const [first, again] = [await route?.handle(asking(encoding, file)), await route?.handle(asking(encoding, file))];
    expect(Buffer.isBuffer(first?.body)).toBe(true);
    expect(again?.body).toBe(first?.body);
    expect(first?.headers?.['Cache-Control']).toContain('no-transform');
  }
});

test.each<[string | undefined, boolean]>([
  [undefined, false],
  ['gzip', true],
  ['br, GZIP;q=0.5', true],
  ['br, gzip; q=0', false],
  ['gzip;q=0.000, deflate', false],
  ['x-gzip', false],
])('an answer to Accept-Encoding %s is compressed by gzip: %s', async (accepted, isPacked) => {
  const { body, headers } = await fixedAnswer(async () => 'text', options)(asking(accepted));
  expect(headers?.['Content-Encoding']).toBe(isPacked ? 'gzip' : undefined);
  expect(String(isPacked ? gunzipSync(body as Buffer) : body)).toBe('text');
});

test('an answer that could not be made is tried again', async () => {
  let attempts = 0;
  const handle = fixedAnswer(async () => {
    attempts += 1;
    if (attempts === 1) throw new Error('no file');
    return 'text';
  }, options);
  await expect(handle(asking())).rejects.toThrow('no file');
  expect(String((await handle(asking())).body)).toBe('text');
});
