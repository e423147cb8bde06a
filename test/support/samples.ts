import type { ObjectId } from 'bson';
import { newStamps } from '#base/db/records';
import { record } from '#base/schema/atoms';
import { makeConverter } from '#base/schema/parse';
import type { Resource } from '#base/schema/resource';
import { makeExample } from '#platform/http/openApi/makeExample';
import { translate } from '#platform/http/openApi/openApiSchema';
import type { TestServices } from './services';

/** Stores one record with this id in every collection, in the test org. Each record matches its resource's schema. */
export async function insertSamples(services: TestServices, id: ObjectId): Promise<void> {
  for (const resource of services.resources) {
    await services.db.collection(resource.path).insertOne(sampleOf(resource, services, id));
  }
}

/**
 * Makes a sample record, which an answer shows as documented. Its texts and numbers of order in unique keys contain
 * the id, so that they are not taken.
 */
export function sampleOf({ shape: stored, answer, indexes }: Resource, { users, clock }: TestServices, id: ObjectId) {
  const shape = record({ ...stored.properties, ...answer.properties });
  const example = makeExample(translate(shape, new Map(), false), { resolve: () => ({}), isSparse: false });
  const unique = indexes.filter((index) => index.unique).flatMap(({ keys }) => Object.keys(keys));
  const own = Object.entries(Object(makeConverter(shape)(example, 0))).map(([name, value]) =>
    unique.includes(name) ? [name, uniqueValue(name, value, id)] : [name, value],
  );
  return { ...Object.fromEntries(own), ...newStamps(users.admin.principal, clock.now(), id) };
}

function uniqueValue(name: string, value: unknown, id: ObjectId): unknown {
  if (typeof value === 'string') return `${value}-${id}`.slice(-60);
  return name === 'seq' && typeof value === 'number' ? Number.parseInt(id.toHexString().slice(-8), 16) : value;
}
