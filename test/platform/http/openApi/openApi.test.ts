import { Validator } from '@seriousme/openapi-schema-validator';
import type { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { resources } from '#server/services/resources';
import type { Response } from '../../../support/client';
import { quickAjv } from '../../../support/quickAjv';
import { share } from '../../../support/scale';
import { openTestServer } from '../../../support/server';

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

/** Yields every object in the document with its JSON pointer. */
function* nodes(value: unknown, place = '#'): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [place, { ...value }];
  for (const [key, child] of Object.entries(value)) yield* nodes(child, `${place}/${pointer(key)}`);
}

function pointer(key: string): string {
  return encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
}

test('the document is OpenAPI 3.1 and names what runs', () => {
  expect(document.openapi).toBe('3.1.0');
  expect(document.info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
});

test('a validator of OpenAPI finds nothing wrong with it', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(document));
  expect({ valid, errors, version: validator.version }).toEqual({ valid: true, errors: undefined, version: '3.1' });
});

/** The schemas of request bodies and the components that they refer to. */
function takenNodes(): [string, Record<string, unknown>][] {
  const operations = [...nodes(document.paths)].flatMap(([, { requestBody }]) => (requestBody ? [requestBody] : []));
  const names = JSON.stringify(operations).matchAll(/"#\/components\/schemas\/(\w+)"/g);
  const components = ['FreeObject', ...new Set([...names].map(([, name = '']) => name))];
  return [operations, components.map((name) => document.components.schemas[name])].flatMap((part) => [...nodes(part)]);
}

const isText = (type: unknown) =>
  [type].flat().every((each) => each === 'string' || each === 'null') && type !== 'null';

test('every text of a request body has a pattern of its characters', () => {
  // The characters of a file are checked row by row, so that one bad row does not refuse the others.
  const isOfFile = (place: string) => place.includes('text~1csv');
  const texts = takenNodes().filter(
    ([place, { type }]) => isText(type) && !place.includes('example') && !isOfFile(place),
  );
  const unfit = ['a\u0000b', '\u001b[31m', 'a\rb', '\u007f', '\u0085'];
  const ajv = makeAjv();
  const letting = texts.filter(([, schema]) => unfit.some((text) => ajv.validate(schema, text)));
  expect(letting).toEqual([]);
  expect(texts.length).toBeGreaterThan(250);
});

test('every body of a request or an answer has an example, which fits its schema', () => {
  const ajv = makeAjv();
  const without = contents().filter(([, { schema, example }]) => !schema || example === undefined);
  // To compile a schema takes long, so the seed of the run says whose example is checked.
  const faults = share(contents(), 4).flatMap(([place, { example }]) => {
    const check = ajv.compile({ $ref: `document${place}/schema` });
    return check(example) ? [] : [{ place, example, errors: check.errors }];
  });
  expect(without.map(([place]) => place)).toEqual([]);
  expect(faults).toEqual([]);
  expect(contents().length).toBeGreaterThan(200);
});

/** The schemas of requests and answers, by JSON pointer. */
function contents(): [string, Record<string, unknown>][] {
  const found = [
    ...nodes(document.paths, '#/paths'),
    ...nodes(document.components.responses, '#/components/responses'),
  ];
  return found.flatMap(([place, node]) =>
    place.endsWith('/content')
      ? Object.entries(node).map(([type, each]): [string, Record<string, unknown>] => [
          `${place}/${pointer(type)}`,
          Object(each),
        ])
      : [],
  );
}

test('no schema has alternatives beside properties, which generators of clients would leave out', () => {
  const lost = [...nodes(document)].filter(([, node]) => 'properties' in node && ('anyOf' in node || 'oneOf' in node));
  expect(lost.map(([place]) => place)).toEqual([]);
});

test('the document does not change when it is made again', async () => {
  const again = await openTestServer();
  const { body } = await again.anonymous.send('GET', '/openapi.json');
  await again.close();
  expect(body).toEqual(document);
});

test('every error of an operation is the error object, with the codes of its status', () => {
  for (const [method, path, { responses }] of operations()) {
    for (const [status, response] of Object.entries(responses)) {
      if (Number(status) < 400 || path === '/health/ready') continue;
      expect({ method, path, response }).toEqual({
        method,
        path,
        response: { $ref: `#/components/responses/Error${status}` },
      });
    }
  }
  expect(document.components.responses.Error404.content['application/json'].schema).toEqual({
    $ref: '#/components/schemas/Error404',
  });
  expect(document.components.schemas.Error404.allOf[1].properties).toEqual({
    status: { type: 'integer', enum: [404] },
    code: { type: 'integer', enum: [1500] },
  });
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
    const [, , kind = '', name = ''] = $ref.split('/');
    return !document.components[kind][name];
  });
  expect(broken).toEqual([]);
});

test('no schema refers to itself, because generators of clients drop such schemas', () => {
  const schemas: Record<string, unknown> = document.components.schemas;
  const named = (name: string) =>
    [...nodes(schemas[name])].flatMap(([, { $ref }]) =>
      typeof $ref === 'string' ? [$ref.split('/').at(-1) ?? ''] : [],
    );
  const circles = Object.keys(schemas).filter((name) => {
    const reached = new Set(named(name));
    for (const each of reached) for (const next of named(each)) reached.add(next);
    return reached.has(name);
  });
  expect(circles).toEqual([]);
});

/** What forms read of a field: of which record its ids are, that it is a date to write, and what is said of it. */
const ofForms = ['x-ref', 'x-date', 'x-help', 'x-form'];

test('only those extension keywords that forms need are in the document', () => {
  const { 'x-tagGroups': _groups, ...rest } = document;
  const isOwn = (key: string) => key.startsWith('x-') && !ofForms.includes(key);
  const own = [...nodes(rest)].filter(([, node]) => Object.keys(node).some(isOwn));
  expect(own.map(([place]) => place)).toEqual([]);
});

test('every record carries the common fields', () => {
  const listed = resources.filter(({ path }) => document.paths[`/api/v1/${path}/{id}`]);
  expect(listed.length).toBeGreaterThan(25);
  for (const { name } of listed) {
    const { properties } = document.components.schemas[name];
    expect({ name, fields: Object.keys(properties) }).toEqual({
      name,
      fields: expect.arrayContaining(['_id', 'org', 'createdAt', 'updatedAt', 'createdBy', 'updatedBy']),
    });
  }
});

test('an aggregate has the bounds and the default of the specification', () => {
  const { properties } = document.components.schemas.DailyAggregate;
  expect(properties).toMatchObject({
    week: { minimum: 1, maximum: 54 },
    month: { minimum: 1, maximum: 12 },
    quarter: { minimum: 1, maximum: 4 },
    halfYear: { minimum: 1, maximum: 2 },
    year: { minimum: 1900, maximum: 3999 },
    metricAggValue: { default: 0 },
  });
  expect(document.components.schemas.DailyAggregate.required).toContain('metricName');
});

test('the coupon code is marked as deprecated', () => {
  const [, , post] = operations().find(([method, path]) => method === 'post' && path.endsWith('/activity')) ?? [];
  const marked = [...nodes(post)].filter(([place]) => place.endsWith('/properties/couponCode'));
  const own = marked.filter(([place]) => !place.includes('/lineItems/'));
  expect(own.map(([, schema]) => schema.deprecated)).toEqual([true]);
});

test('the document does not name the hash of a password', () => {
  expect(JSON.stringify(document)).not.toContain('passwordHash');
});

test('every schema of the document compiles', () => {
  const ajv = makeAjv();
  for (const name of Object.keys(document.components.schemas)) {
    expect(() => ajv.compile({ $ref: `document#/components/schemas/${name}` })).not.toThrow();
  }
});

function makeAjv(): Ajv2020 {
  const ajv = quickAjv();
  addFormats.default(ajv);
  ajv.addSchema(document, 'document');
  return ajv;
}
