import type { TSchema } from '@sinclair/typebox';
import { ObjectId } from 'bson';
import fc from 'fast-check';
import { compileCheck } from '#base/schema/parse';
import { nameMax, textMax } from '#base/schema/textFaults';
import { type Route, routePaths } from '#platform/http/route';
import { allRoutes } from '#server/routes';
import { handlerOf, type RouteCase } from '../support/routeKinds';
import { insertSamples } from '../support/samples';
import { ofEachKind, scaled, share } from '../support/scale';
import { openTestServer } from '../support/server';
import { contentHashes, databaseOf } from '../support/stores';
import { textLeaves } from './worstBodies';

let server: Awaited<ReturnType<typeof openTestServer>>;
const id = new ObjectId();
beforeAll(async () => {
  server = await openTestServer({ bodyMaxBytes: 4 * 1_048_576 });
  await insertSamples(server.services, id);
});
afterAll(() => server.close());

/** docs/design/http.md forbids lone surrogates, and control characters other than tab and newline. */
const unfit: Record<string, string> = {
  'a lone high surrogate': 'a\ud800',
  'a lone low surrogate': '\ude00a',
  'surrogates in the wrong order': '\ude00\ud83d',
  'a NUL': 'a\0b',
  'a carriage return': 'a\r\n',
  'an escape': '\u001b[31m',
  'a delete': 'a\u007f',
  'a C1 control': 'a\u009b2J',
};
const unfitTexts = Object.values(unfit);

const routes = allRoutes.flatMap((route) =>
  route.body ? [[`${route.method} ${route.path}`, route, textLeaves(route.body)] as const] : [],
);

async function send({ method, path, ...route }: Route, body: unknown) {
  const [place = ''] = routePaths({ path, ...route });
  const args = Object.entries(route.query ?? {}).flatMap(([name, { required, schema }]) =>
    required ? [`${name}=${schema.enum?.[0] ?? ''}`] : [],
  );
  const query = args.length > 0 ? `?${args.join('&')}` : '';
  const { token } = server.services.users['ledger-admin'];
  const answer = await fetch(`${server.url}${place.replace(/:\w+/g, id.toHexString())}${query}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
}

const stored = () => contentHashes(databaseOf(server.services.db));

/** Routes whose body is one record. Bulk posts are left out, because they answer each element separately. */
const single = routes.filter(([, { body }, leaves]) => body?.type !== 'array' && leaves.length > 0);

test.each(single)('%s: its schema refuses every text with such characters', (_name, { body }, leaves) => {
  const faultsOf = compileCheck(body ?? ({} as TSchema));
  for (const [index, [path, wrap]] of leaves.entries()) {
    const text = unfitTexts[index % unfitTexts.length] ?? '';
    const kinds = faultsOf(JSON.parse(JSON.stringify(wrap(text)))).map(({ kind }) => kind);
    expect([path, text, kinds]).toEqual([path, text, expect.arrayContaining(['pattern'])]);
  }
});

const cases = single.map(([name, route]): RouteCase => [name, route, routePaths(route)[0] ?? '']);
const some = ofEachKind(cases, handlerOf).map(([name]) => name);

test.each(single.filter(([name]) => some.includes(name)))(
  '%s refuses every text with characters that no text may hold, and stores nothing',
  async (_name, route, leaves) => {
    const before = await stored();
    for (const [index, [path, wrap]] of leaves.entries()) {
      const text = unfitTexts[index % unfitTexts.length] ?? '';
      const answer = await send(route, wrap(text));
      const actual = {
        path,
        text,
        status: answer.status,
        kinds: (JSON.parse(answer.text).errors ?? []).map(({ kind }: { kind: string }) => kind),
      };
      expect(actual).toEqual({ path, text, status: 422, kinds: expect.arrayContaining(['pattern']) });
      // The answer has no characters that are unsafe in a log or a terminal.
      expect(answer.text).not.toMatch(/[^\P{Cc}\t\n]|\p{Cs}/u);
    }
    expect(await stored()).toEqual(before);
  },
);

test('the tested routes are all routes with bodies', () => {
  expect(single.length).toBeGreaterThan(45);
  expect(single.map(([, , leaves]) => leaves.length).reduce((sum, count) => sum + count)).toBeGreaterThan(300);
});

describe.each(share(Object.entries(unfit), 3))('%s', (_name, text) => {
  test('is refused in any place of ext, as a name too', async () => {
    for (const ext of [{ a: text }, { a: [[text]] }, { a: [{ b: text }] }, { [text]: 1 }, { a: { [text]: 1 } }]) {
      expect(await server.as('admin').post('/products', { sku: 'X', name: 'X', ext })).toBeRefused(422, 1200);
    }
  });

  test('is refused in a key, and in a bulk post only with its own activity', async () => {
    const activity = { type: 'Accrual', loyaltyID: 'nobody', value: 1, externalTxnId: text };
    for (const args of ['', '?async=true', '?persist=false']) {
      const { status, body } = await server.as('client').post(`/activity${args}`, activity);
      expect([status, body.errors.map(({ path }: { path: string }) => path)]).toEqual([422, ['externalTxnId']]);
    }
    const { status, body } = await server
      .as('client')
      .post('/activities/bulk?async=true', [activity, { ...activity, externalTxnId: `fit ${_name}` }]);
    expect([status, body[0].error.status, body[1].status]).toEqual([202, 422, 'Queued']);
  });

  test('is refused in arguments, in texts within them, and in paths', async () => {
    const reader = server.as('admin');
    const value = /\p{Surrogate}/u.test(text) ? undefined : encodeURIComponent(text);
    const inJson = encodeURIComponent(JSON.stringify({ name: text }));
    const places = [
      `/products?query=${inJson}`,
      `/products/count?query=${encodeURIComponent(JSON.stringify({ $or: [{ name: { $in: [text] } }] }))}`,
      ...(value === undefined
        ? []
        : [
            `/products?name=${value}`,
            `/products?ext.${value}=1`,
            `/products?select=${value}`,
            `/activity/status/${value}`,
          ]),
    ];
    for (const place of places) {
      const { status, body } = await reader.get(place);
      expect([place, status, body.code]).toEqual([place, 400, 1210]);
    }
  });
});

const odd = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  fc.constantFrom(
    '😀👩‍👩‍👧',
    'שלום',
    'e\u0301',
    '\u00e9',
    'İi',
    'ß',
    'a\tb\nc',
    '\u202eabc',
    '\ufeff',
    '\u2028',
    '"\\"',
  ),
);
const isFit = (text: string) => !/[^\P{Cc}\t\n]|\p{Cs}/u.test(text);

test('every other text is answered as it was sent', async () => {
  const admin = server.as('admin');
  let n = 0;
  await fc.assert(
    fc.asyncProperty(odd.filter(isFit), async (text) => {
      n += 1;
      const made = await admin.post('/products', {
        sku: `odd ${n}`,
        name: text,
        tags: [text],
        ext: { a: text, b: [text] },
      });
      expect([made.status, made.body.name, made.body.tags, made.body.ext]).toEqual([
        201,
        text,
        [text],
        { a: text, b: [text] },
      ]);
      const read = await admin.get(`/products?name=${encodeURIComponent(text)}&sku=${encodeURIComponent(`odd ${n}`)}`);
      // In the short form of a query, a leading `~`, `<`, `>` or `!` is an operator, so such texts are left out.
      if (!/^[~<>!]/.test(text))
        expect(read.body.map(({ ext }: { ext: unknown }) => ext)).toEqual([{ a: text, b: [text] }]);
    }),
    { numRuns: scaled(60) },
  );
});

test('a text, and the name of a field, have a greatest length wherever they stand', async () => {
  const post = (ext: unknown) => server.as('admin').post('/products', { sku: 'L', name: 'L', ext });
  for (const ext of [
    { a: 'x'.repeat(textMax + 1) },
    { a: ['x'.repeat(textMax + 1)] },
    { ['x'.repeat(nameMax + 1)]: 1 },
  ]) {
    const { status, body } = await post(ext);
    expect([status, body.errors[0].kind]).toEqual([422, 'maxLength']);
  }
  expect((await post({ a: 'x'.repeat(textMax) })).status).toBe(201);
});

test.each(routes)('every text in the body of %s has a greatest length', (_name, _route, leaves) => {
  const open = leaves
    .filter(([path, , schema]) => !path.endsWith('.a') && !hasGreatestLength(schema))
    .map(([path]) => path);
  expect(open).toEqual([]);
});

function hasGreatestLength({ maxLength, enum: words, format, pattern, ...schema }: Record<string, unknown>): boolean {
  if (typeof maxLength === 'number' || words !== undefined || schema['x-objectId'] || schema['x-date']) return true;
  // An anchored pattern without `*`, `+` and `{n,}` also bounds the length.
  return (
    typeof pattern === 'string' &&
    pattern.startsWith('^') &&
    pattern.endsWith('$') &&
    !/[*+]|,\}/.test(pattern) &&
    format === undefined
  );
}
