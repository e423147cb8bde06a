import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { pathsOf } from '../../src/http/route';
import { allRoutes } from '../../src/routes';
import type { Response } from '../support/client';
import { openTestServer } from '../support/server';

let server: Awaited<ReturnType<typeof openTestServer>>;
let document: Response['body'];
beforeAll(async () => {
  server = await openTestServer();
  document = (await server.anonymous.send('GET', '/openapi.json')).body;
});
afterAll(() => server.close());

interface Operation {
  operationId: string;
  parameters: { name: string; in: string; required: boolean }[];
  responses: Record<string, object>;
}

const operations = (): [string, string, Operation][] =>
  Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string, Operation] => [method, path, operation]),
  );

/** Every object in the document with its place. */
function* nodes(value: unknown, place = '#'): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [place, { ...value }];
  for (const [key, child] of Object.entries(value)) yield* nodes(child, `${place}/${key}`);
}

test('the document is OpenAPI 3.1 and names what runs', () => {
  expect(document.openapi).toBe('3.1.0');
  expect(document.info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
});

test('every route stands in it, under every path it answers', () => {
  const documented = operations().map(([method, path]) => `${method} ${path}`);
  const mounted = allRoutes.flatMap((route) =>
    pathsOf(route).map((path) => `${route.method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`),
  );
  expect(documented).toEqual(expect.arrayContaining(mounted));
});

test('every operation has a name of its own', () => {
  const ids = operations().map(([, , { operationId }]) => operationId);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(ids.filter((id) => !/^[a-z][A-Za-z0-9]*$/.test(id))).toEqual([]);
});

test('every parameter of a path is declared, once', () => {
  for (const [method, path, { parameters }] of operations()) {
    const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect({ method, path, names: inPath.sort() }).toEqual({ method, path, names: named.sort() });
  }
});

test('every reference leads somewhere', () => {
  const broken = [...nodes(document)].filter(([, { $ref }]) => {
    if (typeof $ref !== 'string') return false;
    return !document.components.schemas[$ref.replace('#/components/schemas/', '')];
  });
  expect(broken).toEqual([]);
});

test('no keyword of ours is left', () => {
  const own = [...nodes(document)].filter(([, node]) => Object.keys(node).some((key) => key.startsWith('x-')));
  expect(own.map(([place]) => place)).toEqual([]);
});

test('hidden fields do not stand in it', () => {
  expect(JSON.stringify(document)).not.toContain('passwordHash');
});

test('every schema in it compiles', () => {
  const ajv = makeAjv();
  for (const name of Object.keys(document.components.schemas)) {
    expect(() => ajv.compile({ $ref: `document#/components/schemas/${name}` })).not.toThrow();
  }
});

test.each([
  ['/api/v1/users', 'admin'],
  ['/api/v1/users/count', 'admin'],
  ['/api/v1/myaccount', 'client'],
  ['/api/v1/rulesets/current', 'reader'],
  ['/health/ready', 'reader'],
  ['/health/live', 'reader'],
] as const)('what GET %s answers is as documented', async (path, role) => {
  const { status, body } = await server.as(role).send('GET', path);
  const pointer = path.replaceAll('/', '~1');
  const schema = `document#/paths/${pointer}/get/responses/${status}/content/application~1json/schema`;
  const check = makeAjv().compile({ $ref: schema });
  check(body);
  expect(check.errors).toBeNull();
});

test('what an error answers is as documented', async () => {
  const { body } = await server.as('admin').post('/users', { roles: 17 });
  const check = makeAjv().compile({ $ref: 'document#/components/schemas/Error' });
  check(body);
  expect(check.errors).toBeNull();
});

function makeAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'document');
  return ajv;
}

describe('the page of the documentation', () => {
  test('loads from this host only', async () => {
    const { status, body, headers } = await server.anonymous.send('GET', '/docs');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).not.toMatch(/https?:\/\//);
    const assets = [...String(body).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, asset]) => String(asset));
    for (const asset of assets) expect((await server.anonymous.send('GET', asset)).status).toBe(200);
  });

  test.each(['/docs/package.json', '/docs/..%2fpackage.json', '/docs/%2e%2e'])('does not serve %s', async (path) => {
    expect((await server.anonymous.send('GET', path)).status).toBe(404);
  });
});
