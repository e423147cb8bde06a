import type { TSchema } from '@sinclair/typebox';
import { ObjectId } from 'bson';
import { templatesOf } from '#platform/http/openApi/openApi';
import { listsOfWords, pathsOf, type Route } from '#platform/http/route';
import { allRoutes } from '#server/routes';
import type { Client } from '../../support/client';
import { insertSamples } from '../../support/samples';
import { openTestServer } from '../../support/server';

let server: Awaited<ReturnType<typeof openTestServer>>;
let admin: Client;
/** The id of a record in every collection. */
const id = new ObjectId();
beforeAll(async () => {
  server = await openTestServer();
  admin = server.as('ledger-admin');
  await insertSamples(server.services, id);
});
afterAll(() => server.close());

type Case = [string, Route, string];
const casesOf = (isMeant: (route: Route) => boolean): Case[] =>
  allRoutes
    .filter(isMeant)
    .flatMap((route) => pathsOf(route).map((path): Case => [`${route.method} ${path}`, route, path]));
const at = (path: string) => path.replace(/:\w+/g, id.toHexString());

const singleReads = casesOf(({ method, path }) => method === 'GET' && /^\/\w+\/:id$/.test(path));

test.each(singleReads)('%s answers its ETag, and 304 to who has that version', async (_name, _route, path) => {
  const read = await admin.send('GET', at(path));
  const etag = read.headers.get('etag') ?? '';
  expect([read.status, etag]).toEqual([200, expect.stringMatching(/^"\w+"$/)]);
  const again = await admin.send('GET', at(path), { headers: { 'if-none-match': etag } });
  expect([again.status, again.body]).toEqual([304, undefined]);
  const other = await admin.send('GET', at(path), { headers: { 'if-none-match': '"another"' } });
  expect(other.status).toBe(200);
});

const changes = casesOf(({ method, path }) => ['PUT', 'PATCH', 'DELETE'].includes(method) && /^\/\w+\/:id$/.test(path));

test.each(changes)('%s answers 412 when If-Match names another version', async (_name, route, path) => {
  const { method, body } = route;
  const { paths } = (await server.anonymous.send('GET', '/openapi.json')).body;
  const operation = paths[templatesOf(route)[0] ?? ''][method.toLowerCase()];
  const sent = body ? { body: operation.requestBody.content['application/json'].example } : {};
  expect(await admin.send(method, at(path), { ...sent, headers: { 'if-match': '"another"' } })).toBeRefused(412, 1280);
});

const isJson = ({ produces, prefixes = ['/api/v1'] }: Route) => produces === undefined && prefixes.includes('/api/v1');

/** Forms of `Accept` that take JSON, and forms that exclude it. */
const taking = [
  '*/*',
  'application/*;q=0.5',
  'application/json; charset=utf-8',
  'application/json; charset=utf-8; q=0.3, text/html',
  'text/html, APPLICATION/JSON ; profile="a;b,c" ; Q=0.001 ; ext=1',
  'application/json;version=2;q=0, application/json;q=0.1',
  'text/*;q=0, */*;level=1;q=0.2',
];
const excluding = [
  'text/html',
  'application/xml;q=0.9, text/*',
  'application/json;q=0, */*',
  'application/json; charset=utf-8; q=0, text/html;q=0.5',
  'application/*;q=0.0, */*;q=0.1',
  '*/*;q=0',
];

test.each(casesOf(isJson))('%s answers 406 only to who takes no JSON, before all else', async (_name, route, path) => {
  const statusFor = async (accept: string) => {
    const { status, body } = await server.anonymous.send(route.method, at(path), { headers: { accept } });
    return [accept, status === 406 ? body.code : 'other'];
  };
  expect(await Promise.all(taking.map(statusFor))).toEqual(taking.map((accept) => [accept, 'other']));
  expect(await Promise.all(excluding.map(statusFor))).toEqual(excluding.map((accept) => [accept, 1230]));
});

test.each(casesOf((route) => !isJson(route)))('%s is answered to who takes no JSON too', async (_name, route, path) => {
  const { method, query = {} } = route;
  const required = Object.entries(query).flatMap(([name, { schema, required: isRequired }]) =>
    isRequired ? [`${name}=${schema.enum?.[0]}`] : [],
  );
  const { status } = await admin.send(method, `${at(path)}?${required.join('&')}`, {
    headers: { accept: 'image/png' },
  });
  expect(status).toBe(200);
});

const withBody = casesOf(({ body }) => body !== undefined);

test.each(withBody)('%s answers 415 to a body that is no JSON', async (_name, { method, query = {} }, path) => {
  const required = Object.entries(query).flatMap(([name, { required: isRequired }]) =>
    isRequired ? [`${name}=true`] : [],
  );
  const answer = await admin.send(method, `${at(path)}?${required.join('&')}`, {
    headers: { 'content-type': 'text/plain' },
    raw: 'text',
  });
  expect(answer).toBeRefused(415, 1250);
});

const withLists = casesOf((route) => listsOfWords(route).length > 0);

/** The first words that an argument takes, at most two. */
function wordsOf({ query }: Route, name: string): string[] {
  const { items, anyOf = [{}] }: Partial<TSchema> = query?.[name]?.schema ?? {};
  return (items ?? anyOf[0].items).enum.slice(0, 2);
}

test.each(withLists)('%s takes a list in one argument or in several', async (_name, route, path) => {
  const { method, query } = route;
  const required = query?.query?.required ? '&query={"metricName":"spend"}' : '';
  for (const name of listsOfWords(route)) {
    const words = wordsOf(route, name);
    const ask = (sent: string) => admin.send(method, `${at(path)}?${sent}${required}`);
    const [together, apart] = [
      await ask(`${name}=${words.join()}`),
      await ask(words.map((word) => `${name}=${word}`).join('&')),
    ];
    expect([name, apart.status, apart.body]).toEqual([name, 200, together.body]);
  }
});

const argumentsOf = ({ query = {} }: Route) => Object.keys(query);

test.each(casesOf((route) => argumentsOf(route).length > 0))(
  '%s takes no other argument twice',
  async (_name, route, path) => {
    for (const name of argumentsOf(route).filter((each) => !listsOfWords(route).includes(each))) {
      const { status, body } = await admin.send(route.method, `${at(path)}?${name}=1&${name}=1`);
      expect([name, status, body.code]).toEqual([name, 400, 1210]);
    }
  },
);

const paths = [...new Set(casesOf(() => true).map(([, , path]) => path))];

test.each(paths)('%s answers 405 with Allow to other methods, with a slash at the end too', async (path) => {
  const own = casesOf(() => true).flatMap(([, { method }, each]) => (each === path ? [method] : []));
  const allowed = [...own, ...(own.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort().join(', ');
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((each) => !own.some((one) => one === each))) {
    const { status, body, headers } = await admin.send(method, `${at(path)}/`);
    expect([method, status, body.code, headers.get('allow')]).toEqual([method, 405, 1220, allowed]);
  }
});

test('large answers are compressed for who accepts that', async () => {
  const compressed = await admin.send('GET', '/openapi.json', { headers: { 'accept-encoding': 'gzip' } });
  const plain = await admin.send('GET', '/openapi.json', { headers: { 'accept-encoding': 'identity' } });
  expect([compressed.headers.get('content-encoding'), plain.headers.get('content-encoding')]).toEqual(['gzip', null]);
  expect(compressed.body).toEqual(plain.body);
});
