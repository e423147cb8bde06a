import type { TProperties, TSchema } from '@sinclair/typebox';
import type { ObjectId } from 'bson';
import { type FieldError, validationError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { readLocal } from '#base/db/readLocal';
import type { Doc, Resource } from '#base/schema/resource';
import { commonFields } from '#base/schema/resource';
import type { RulesRead } from '#platform/orgs/writeRecord';
import type { Uses } from './recordRules';
import { requireRulesStayValid } from './requireRulesStayValid';
import type { OrgContext } from './writeContext';

/**
 * Refuses to delete a record that other records of the org or a rule in force refer to. References to the user who made
 * or changed a record do not count: otherwise no user could be deleted.
 * @returns the rules that the write must rely on, when rules can name such a record
 * @throws ServiceError 1200, kind `inUse`, naming each kind of record that refers to it
 */
export async function requireUnused<P extends TProperties>(
  resource: Resource<P>,
  doc: Doc<P>,
  context: OrgContext,
  uses?: Uses<P>,
): Promise<RulesRead | undefined> {
  const faults = await Promise.all([
    referringFaults(resource, doc._id, '_id', context),
    uses ? usesFaults(uses, doc, '_id', context) : [],
  ]);
  const found = faults.flat();
  if (found.length > 0) throw validationError(found);
  return requireRulesStayValid(resource, { before: doc }, context);
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
  context: OrgContext,
  uses?: Uses<P>,
): Promise<RulesRead | undefined> {
  const after = { ...before, ...fields };
  const [changed] = (uses?.by ?? []).filter((name) => Reflect.get(before, name) !== Reflect.get(after, name));
  const faults = uses && changed ? await usesFaults(uses, before, changed, context) : [];
  if (faults.length > 0) throw validationError(faults);
  return requireRulesStayValid(resource, { before, after }, context);
}

async function usesFaults<P extends TProperties>(
  uses: Uses<P>,
  doc: Doc<P>,
  at: string,
  context: OrgContext,
): Promise<FieldError[]> {
  const { org } = context.principal;
  const places = await uses.find(doc, context);
  const faults = await Promise.all(
    places.map(async ({ in: { path: collection }, path, where }) => {
      const user = await context.services.db
        .collection(collection)
        .findOne({ $and: [{ org }, where] }, { projection: { _id: 1 }, ...readLocal });
      return user ? [{ path: at, kind: 'inUse', ...message('refs.namedBy', { by: collection, at: path }) }] : [];
    }),
  );
  return faults.flat();
}

/** Finds the places at which records refer to a record. They are reported as faults of its field `at`, kind `inUse`. */
export async function referringFaults(
  resource: Resource,
  id: ObjectId,
  at: string,
  context: OrgContext,
): Promise<FieldError[]> {
  const places = context.services.resources.flatMap((other) =>
    pathsTo(resource.name, other).map((path) => faultAt(other, path, resource, id, context)),
  );
  return (await Promise.all(places)).flat().map((fault) => ({ ...fault, path: at }));
}

async function faultAt(
  other: Resource,
  path: string,
  resource: Resource,
  id: ObjectId,
  { services, principal }: OrgContext,
): Promise<Omit<FieldError, 'path'>[]> {
  const itself = other.name === resource.name ? { _id: { $ne: id } } : {};
  const user = await services.db
    .collection(other.path)
    .findOne({ org: principal.org, [path]: id, ...itself }, { projection: { _id: 1 }, ...readLocal });
  return user ? [{ kind: 'inUse', ...message('refs.referredToBy', { path: other.path, field: path }) }] : [];
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
