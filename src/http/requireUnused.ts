import type { TSchema } from '@sinclair/typebox';
import type { ObjectId } from 'bson';
import type { Resource } from '../db/resource';
import { commonFields } from '../db/resource';
import { type FieldError, validationError } from '../errors';
import type { Request } from './route';

/**
 * Refuses to delete a record that others of the org refer to. Who made or changed a record does not count: else no
 * user could be deleted.
 * @throws ServiceError 1200, kind `inUse`, naming each kind of record that refers to it
 */
export async function requireUnused(resource: Resource, id: ObjectId, request: Request): Promise<void> {
  const places = request.services.resources.flatMap((other) =>
    pathsTo(resource.name, other).map((path) => ({ other, path })),
  );
  const faults = await Promise.all(places.map(({ other, path }) => faultAt(other, path, resource, id, request)));
  const found = faults.flat();
  if (found.length > 0) throw validationError(found);
}

async function faultAt(
  other: Resource,
  path: string,
  resource: Resource,
  id: ObjectId,
  { services, principal }: Request,
): Promise<FieldError[]> {
  const itself = other.name === resource.name ? { _id: { $ne: id } } : {};
  const user = await services.db
    .collection(other.path)
    .findOne({ org: principal.org, [path]: id, ...itself }, { projection: { _id: 1 } });
  return user ? [{ path: '_id', kind: 'inUse', message: `is referred to by ${other.path} in ${path}` }] : [];
}

/** The paths at which records of `other` refer to the named resource. */
function pathsTo(name: string, other: Resource): string[] {
  const own = Object.entries(other.shape.properties).filter(([field]) => !Object.hasOwn(commonFields, field));
  return own.flatMap(([field, schema]) => pathsIn(name, schema, field));
}

function pathsIn(name: string, schema: TSchema, path: string): string[] {
  if (schema['x-ref'] === name) return [path];
  if (schema.type === 'array') return pathsIn(name, schema.items, path);
  if (schema.type !== 'object' || !schema.properties) return [];
  return Object.entries<TSchema>(schema.properties).flatMap(([field, child]) =>
    pathsIn(name, child, `${path}.${field}`),
  );
}
