import type { TSchema } from '@sinclair/typebox';
import { ObjectId } from 'bson';
import { newStamps } from '#base/db/records';
import type { Resource } from '#base/schema/resource';
import { allRoutes } from '#server/routes';
import { resources } from '#server/services/resources';
import { openTestServer } from '../../support/server';

/** One id for a record in every collection. All references lead to the records with this id. */
const id = new ObjectId();

let server: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  server = await openTestServer();
  const { db, clock, users } = server.services;
  const stamps = { ...newStamps(users.admin.principal, clock.now(), id), createdBy: id, updatedBy: id };
  for (const resource of resources) {
    await db.collection(resource.path).insertOne({ ...filled(resource.answer), ...stamps });
  }
});
afterAll(() => server.close());

/** Yields every path of a schema with a reference, and the name of its resource. */
function* references(schema: TSchema, path: string[] = []): Generator<[path: string, ref: string]> {
  if (typeof schema['x-ref'] === 'string') yield [path.join('.'), schema['x-ref']];
  if (schema.type === 'array') yield* references(schema.items, path);
  for (const [name, child] of Object.entries<TSchema>(schema.properties ?? {})) {
    yield* references(child, [...path, name]);
  }
}

/** The smallest value of a schema, with all references set to the one id. */
function filled(schema: TSchema): Record<string, unknown> {
  const entries = Object.entries<TSchema>(schema.properties ?? {}).map(([name, child]) => [name, leastValueOf(child)]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function leastValueOf(schema: TSchema): unknown {
  if (typeof schema['x-ref'] === 'string') return id;
  if (schema.type === 'array') {
    const element = leastValueOf(schema.items);
    return element === undefined ? [] : [element];
  }
  return schema.type === 'object' && schema.properties ? filled(schema) : undefined;
}

const reads = new Set(allRoutes.filter(({ method }) => method === 'GET').map(({ path }) => path));
const cases = resources
  .filter(({ path }) => reads.has(`/${path}/:id`))
  .flatMap((resource) =>
    [...references(resource.readable)]
      .filter(([, ref]) => ref !== 'Org')
      .map(([path, ref]): [string, string, string, Resource] => [resource.path, path, ref, resource]),
  );

test.each(cases)('%s?populate=%s answers the %s', async (collection, path) => {
  const query = encodeURIComponent(JSON.stringify({ _id: id }));
  for (const read of [`/${collection}/${id}?populate=${path}`, `/${collection}?query=${query}&populate=${path}`]) {
    const { status, body } = await server.as('ledger-admin').get(read);
    expect({ status, ...(status === 200 ? {} : body) }).toEqual({ status: 200 });
    const record = Array.isArray(body) ? body[0] : body;
    const values = path.split('.').reduce((found, name) => found.flatMap((value) => value?.[name] ?? []), [record]);
    expect(values).toEqual([expect.objectContaining({ _id: id.toHexString(), createdBy: expect.anything() })]);
  }
});

test('more than 60 references of reads are tried', () => {
  expect(cases.length).toBeGreaterThan(60);
});
