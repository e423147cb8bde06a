import type { TProperties, TSchema } from '@sinclair/typebox';
import type { ObjectId } from 'bson';
import { type FieldError, validationError } from '#base/common/errors';
import { latest } from '#base/db/latest';
import type { Doc, Resource } from '#base/schema/resource';
import { commonFields } from '#base/schema/resource';
import type { RulesRead } from '#platform/orgs/writeRecord';
import type { Request } from '../route';
import type { Uses } from './collectionOptions';
import { requireRulesStayValid } from './requireRulesStayValid';

/**
 * Refuses to delete a record that other records of the org or a rule in force refer to. References to the user who made
 * or changed a record do not count: otherwise no user could be deleted.
 * @returns the rules that the write must rely on, when rules can name such a record
 * @throws ServiceError 1200, kind `inUse`, naming each kind of record that refers to it
 */
export async function requireUnused<P extends TProperties>(
  resource: Resource<P>,
  doc: Doc<P>,
  request: Request,
  uses?: Uses<P>,
): Promise<RulesRead | undefined> {
  const faults = await Promise.all([
    referringFaults(resource, doc._id, '_id', request),
    uses ? usesFaults(uses, doc, '_id', request) : [],
  ]);
  const found = faults.flat();
  if (found.length > 0) throw validationError(found);
  return requireRulesStayValid(resource, { before: doc }, request);
}

/**
 * Refuses to change a field by which other records or rules in force name a record.
 * @returns the rules that the write must rely on, when rules can name what changes
 * @throws ServiceError 1200, kind `inUse`
 */
export async function requireNamesUnchanged<P extends TProperties>(
  resource: Resource<P>,
  before: Doc<P>,
  fields: object,
  request: Request,
  uses?: Uses<P>,
): Promise<RulesRead | undefined> {
  const after = { ...before, ...fields };
  const [changed] = (uses?.by ?? []).filter((name) => Reflect.get(before, name) !== Reflect.get(after, name));
  const faults = uses && changed ? await usesFaults(uses, before, changed, request) : [];
  if (faults.length > 0) throw validationError(faults);
  return requireRulesStayValid(resource, { before, after }, request);
}

async function usesFaults<P extends TProperties>(
  uses: Uses<P>,
  doc: Doc<P>,
  at: string,
  request: Request,
): Promise<FieldError[]> {
  const { org } = request.principal;
  const places = await uses.find(doc, request);
  const faults = await Promise.all(
    places.map(async ({ in: { path: collection }, path, where }) => {
      const user = await request.services.db
        .collection(collection)
        .findOne({ $and: [{ org }, where] }, { projection: { _id: 1 }, ...latest });
      return user ? [{ path: at, kind: 'inUse', message: `is named by ${collection} in ${path}` }] : [];
    }),
  );
  return faults.flat();
}

/** Finds the places at which records refer to a record. They are told as faults of its field `at`, kind `inUse`. */
export async function referringFaults(
  resource: Resource,
  id: ObjectId,
  at: string,
  request: Pick<Request, 'services' | 'principal'>,
): Promise<FieldError[]> {
  const places = request.services.resources.flatMap((other) =>
    pathsTo(resource.name, other).map((path) => faultAt(other, path, resource, id, request)),
  );
  return (await Promise.all(places)).flat().map((fault) => ({ ...fault, path: at }));
}

async function faultAt(
  other: Resource,
  path: string,
  resource: Resource,
  id: ObjectId,
  { services, principal }: Pick<Request, 'services' | 'principal'>,
): Promise<Omit<FieldError, 'path'>[]> {
  const itself = other.name === resource.name ? { _id: { $ne: id } } : {};
  const user = await services.db
    .collection(other.path)
    .findOne({ org: principal.org, [path]: id, ...itself }, { projection: { _id: 1 }, ...latest });
  return user ? [{ kind: 'inUse', message: `is referred to by ${other.path} in ${path}` }] : [];
}

/** Returns the paths at which records of `other` refer to the named resource. */
function pathsTo(name: string, other: Resource): string[] {
  const own = Object.entries(other.shape.properties).filter(([field]) => !Object.hasOwn(commonFields, field));
  return own.flatMap(([field, schema]) => pathsIn(name, schema, field));
}

function pathsIn(name: string, schema: TSchema, path: string): string[] {
  if (schema['x-ref'] === name || schema['x-ref-any']) return [path];
  if (schema.type === 'array') return pathsIn(name, schema.items, path);
  if (schema.type !== 'object' || !schema.properties) return [];
  return Object.entries<TSchema>(schema.properties).flatMap(([field, child]) =>
    pathsIn(name, child, `${path}.${field}`),
  );
}
