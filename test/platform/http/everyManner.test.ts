import type { TSchema } from '@sinclair/typebox';
import { ObjectId } from 'bson';
import { createAuthenticate } from '#platform/auth/authenticate';
import { acceptsJson } from '#platform/http/acceptsJson';
import { mount } from '#platform/http/mount';
import { pathTemplates } from '#platform/http/openApi/openApi';
import type { Context } from '#platform/http/requestState';
import { listsOfWords, type Route } from '#platform/http/route';
import { unmatched } from '#platform/http/routers';
import { evaluateBody } from '#platform/preprocess/evaluateBody';
import { allRoutes } from '#server/routes';
import type { Client, Response } from '../../support/client';
import { handlerOf, routeCases, stepsOf } from '../../support/routeKinds';
import { insertSamples } from '../../support/samples';
import { drawn, ofEachKind, share } from '../../support/scale';
import { openTestServer } from '../../support/server';

/** Manners of asking over HTTP: of routes of each kind, and others by the seed. test/server reads what every route says. */
let server: Awaited<ReturnType<typeof openTestServer>>;
let admin: Client;
let paths: Response['body'];
/** The id of a record in every collection. */
const id = new ObjectId();
beforeAll(async () => {
  server = await openTestServer();
  admin = server.as('ledger-admin');
  await insertSamples(server.services, id);
  ({ paths } = (await server.anonymous.send('GET', '/openapi.json')).body);
});
afterAll(() => server.close());

const at = (path: string) => path.replace(/:\w+/g, id.toHexString());

const singleReads = routeCases(({ method, path }) => method === 'GET' && /^\/\w+\/:id$/.test(path));

test.each(ofEachKind(singleReads, handlerOf))(
  '%s answers its ETag, and 304 to a client with that version',
  async (_name, _route, path) => {
    const read = await admin.send('GET', at(path));
    const etag = read.headers.get('etag') ?? '';
    expect([read.status, etag]).toEqual([200, expect.stringMatching(/^"\w+"$/)]);
    const again = await admin.send('GET', at(path), { headers: { 'if-none-match': etag } });
    expect([again.status, again.body]).toEqual([304, undefined]);
    const other = await admin.send('GET', at(path), { headers: { 'if-none-match': '"another"' } });
    expect(other.status).toBe(200);
  },
);

const changes = routeCases(
  ({ method, path }) => ['PUT', 'PATCH', 'DELETE'].includes(method) && /^\/\w+\/:id$/.test(path),
);

test.each(ofEachKind(changes, handlerOf))(
  '%s answers 412 when If-Match names another version',
  async (_name, route, path) => {
    const { method, body } = route;
    const operation = paths[pathTemplates(route)[0] ?? ''][method.toLowerCase()];
    const sent = body ? { body: operation.requestBody.content['application/json'].example } : {};
    const answer = await admin.send(method, at(path), { ...sent, headers: { 'if-match': '"another"' } });
    expect(answer).toBeRefused(412, 1280);
  },
);

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

test.each(ofEachKind(routeCases(isJson), stepsOf))(
  '%s answers 406 before anything else to a client that accepts no JSON',
  async (_name, route, path) => {
    const statusFor = async (accept: string) => {
      const { status, body } = await server.anonymous.send(route.method, at(path), { headers: { accept } });
      return [accept, status === 406 ? body.code : 'other'];
    };
    for (const accept of drawn(taking)) expect(await statusFor(accept)).toEqual([accept, 'other']);
    for (const accept of drawn(excluding)) expect(await statusFor(accept)).toEqual([accept, 1230]);
  },
);

test('a header Accept allows or excludes JSON in any form', () => {
  expect([...taking, undefined].filter((accept) => !acceptsJson(accept))).toEqual([]);
  expect(excluding.filter(acceptsJson)).toEqual([]);
});

test.each(routeCases((route) => !isJson(route)))(
  '%s is answered to a client that accepts no JSON too',
  async (_n, route, path) => {
    const { method, query = {} } = route;
    const required = Object.entries(query).flatMap(([name, { schema, required: isRequired }]) =>
      isRequired ? [`${name}=${schema.enum?.[0]}`] : [],
    );
    const { status } = await admin.send(method, `${at(path)}?${required.join('&')}`, {
      headers: { accept: 'image/png' },
    });
    expect(status).toBe(200);
  },
);

const withBody = routeCases(({ body }) => body !== undefined);

test.each(ofEachKind(withBody, stepsOf))(
  '%s answers 415 to a body that is no JSON',
  async (_name, { method, query = {} }, path) => {
    const required = Object.entries(query).flatMap(([name, { required: isRequired }]) =>
      isRequired ? [`${name}=true`] : [],
    );
    const place = `${at(path)}?${required.join('&')}`;
    const answer = await admin.send(method, place, { headers: { 'content-type': 'text/plain' }, raw: 'text' });
    expect(answer).toBeRefused(415, 1250);
  },
);

const withLists = routeCases((route) => listsOfWords(route).length > 0);

/** The first words that an argument takes, at most two. */
function wordsOf({ query }: Route, name: string): string[] {
  const { items, anyOf = [{}] }: Partial<TSchema> = query?.[name]?.schema ?? {};
  return (items ?? anyOf[0].items).enum.slice(0, 2);
}

test.each(ofEachKind(withLists, stepsOf))(
  '%s accepts a list in one argument or in several',
  async (_name, route, path) => {
    const { method, query } = route;
    const required = query?.query?.required ? '&query={"metricName":"spend"}' : '';
    for (const name of drawn(listsOfWords(route))) {
      const words = wordsOf(route, name);
      const ask = (sent: string) => admin.send(method, `${at(path)}?${sent}${required}`);
      const [together, apart] = [
        await ask(`${name}=${words.join()}`),
        await ask(words.map((word) => `${name}=${word}`).join('&')),
      ];
      expect([name, apart.status, apart.body]).toEqual([name, 200, together.body]);
    }
  },
);

const withArguments = routeCases(({ query = {} }) => Object.keys(query).length > 0);

test.each(ofEachKind(withArguments, stepsOf))('%s accepts no other argument twice', async (_name, route, path) => {
  const names = Object.keys(route.query ?? {}).filter((each) => !listsOfWords(route).includes(each));
  for (const name of drawn(names)) {
    expect(await admin.send(route.method, `${at(path)}?${name}=1&${name}=1`)).toBeRefused(400, 1210);
  }
});

describe('a path answers 405 with Allow to other methods', () => {
  const each = [...new Set(routeCases().map(([, , path]) => path))];
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

  function methodsOf(path: string) {
    const own = routeCases().flatMap(([, { method }, place]) => (place === path ? [method as string] : []));
    const allow = [...own, ...(own.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort().join(', ');
    return { allow, others: methods.filter((method) => !own.includes(method)) };
  }

  test('in general', async () => {
    const { services } = server;
    const refuse = unmatched(mount(allRoutes, { services, authenticate: createAuthenticate(services), evaluateBody }));
    for (const path of each) {
      const { allow, others } = methodsOf(path);
      for (const method of others) {
        const error = await refuse({ method, path: at(path) } as Context).catch((thrown: unknown) => thrown);
        const expected = { status: 405, code: 1220, details: { headers: { Allow: allow } } };
        expect([method, path, error]).toEqual([method, path, expect.objectContaining(expected)]);
      }
    }
  });

  test.each(share(each, 10))('%s, with a slash at the end too', async (path) => {
    const { allow, others } = methodsOf(path);
    for (const method of others) {
      const answer = await admin.send(method, `${at(path)}/`);
      expect(answer).toBeRefused(405, 1220);
      expect([method, answer.headers.get('allow')]).toEqual([method, allow]);
    }
  });
});

test('large answers are compressed for a client that accepts that', async () => {
  const compressed = await admin.send('GET', '/openapi.json', { headers: { 'accept-encoding': 'gzip' } });
  const plain = await admin.send('GET', '/openapi.json', { headers: { 'accept-encoding': 'identity' } });
  expect([compressed.headers.get('content-encoding'), plain.headers.get('content-encoding')]).toEqual(['gzip', null]);
  expect(compressed.body).toEqual(plain.body);
});
