import type { TSchema } from '@sinclair/typebox';
import { ObjectId } from 'bson';
import type { Route } from '#platform/http/route';
import { allRoutes } from '#server/routes';
import { handlerOf, type RouteCase } from '../support/routeKinds';
import { ofEachKind } from '../support/scale';
import { openTestServer } from '../support/server';
import { safely } from './safe';

let server: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const withBody = allRoutes.flatMap((route) =>
  route.body ? [[`${route.method} ${route.path}`, route, route.body] as const] : [],
);

it.each(withBody)('every list in the body of %s has a largest length', (_name, _route, schema) => {
  expect(listsWithoutEnd(schema, 'body')).toEqual([]);
});

function listsWithoutEnd(schema: TSchema, path: string): string[] {
  const inner: [string, TSchema][] = [
    ...Object.entries<TSchema>(schema.properties ?? {}),
    ...(schema.items ? [['items', schema.items] as [string, TSchema]] : []),
    ...[...(schema.anyOf ?? []), ...(schema.allOf ?? [])].map((each: TSchema): [string, TSchema] => ['any', each]),
  ];
  const own = schema.type === 'array' && typeof schema.maxItems !== 'number' ? [path] : [];
  return [...own, ...inner.flatMap(([name, each]) => listsWithoutEnd(each, `${path}.${name}`))];
}

const withExt = withBody.filter(([, { permission, method }, { properties }]) => {
  return properties?.ext && permission !== 'open' && method !== 'DELETE';
});

const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });

/** JSON texts of `ext`, each with the expected status. */
const hostileExt: [string, string, number][] = [
  ['__proto__', '{"__proto__":{"isAdmin":true}}', 400],
  ['__proto__ in a list', '{"a":[{"\\u005f_proto__":1}]}', 400],
  ['a type of the driver', '{"a":{"_bsontype":"Long"}}', 400],
  ['a number beyond all', '{"a":1e400}', 422],
  ['an operator', '{"$where":"1"}', 422],
  ['an operator deep inside', '{"a":[{"b":{"$gt":""}}]}', 422],
  ['a dot', '{"a.b":1}', 422],
  ['an empty key', '{"":1}', 422],
  ['a NUL', '{"a\\u0000b":1}', 422],
  ['forty levels', JSON.stringify(deep(40)), 400],
  ['thirty-two levels below it', JSON.stringify(deep(32)), 400],
  ['a list in its place', '[1]', 422],
  ['a text in its place', '"a"', 422],
];

/** The required arguments of a route, all of them filters. */
function requiredArguments({ query = {} }: Route): string {
  const names = Object.keys(query).filter((name) => query[name]?.required);
  return names.length === 0 ? '' : `?${names.map((name) => `${name}={"_id":"${new ObjectId()}"}`).join('&')}`;
}

const cases = withExt.map(([name, route]): RouteCase => [name, route, route.path]);

describe.each(ofEachKind(cases, handlerOf))('ext of %s', (_name, route) => {
  const { method, path } = route;
  it.each(hostileExt)('with %s is refused', async (_what, ext, status) => {
    const place = `/api/v1${path.replace(/:\w+/g, new ObjectId().toHexString())}${requiredArguments(route)}`;
    const answer = await safely(() => server.as('ledger-admin').send(method, place, { raw: `{"ext":${ext}}` }));
    // A route with an id may answer 404 before it checks the body.
    expect(path.includes(':') ? [status, 404, 422] : [status]).toContain(answer.status);
    expect(({} as Record<string, unknown>).isAdmin).toBeUndefined();
  });
});

it('the tested bodies include every definition, member, account and activity', () => {
  const paths = withExt.map(([name]) => name);
  expect(paths).toEqual(
    expect.arrayContaining(['POST /members', 'POST /accounts', 'POST /activity', 'POST /products']),
  );
  expect(paths.length).toBeGreaterThan(20);
});

it('an answer names a hundred of a thousand faults', async () => {
  const body = Object.fromEntries(Array.from({ length: 1000 }, (_unused, n) => [`unknown${n}`, n]));
  for (const path of ['/members', '/activity', '/users']) {
    const { status, body: answer } = await safely(() => server.as('admin').post(path, body));
    expect(status).toBe(422);
    expect(answer.errors).toHaveLength(100);
  }
});
