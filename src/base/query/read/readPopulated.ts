import { ObjectId } from 'bson';
import { malformed, ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { readYielding } from '#base/db/readYielding';
import type { Resource } from '#base/schema/resource';
import type { Field } from '../fields';
import type { Reader } from '../reader';
import type { Found } from './found';

/** The references to follow, and the milliseconds that the database may spend on each. */
interface PopulateOptions {
  populate: readonly Field[];
  maxTimeMS: number;
}

/**
 * Replaces the ids of references by the records that they name, without hidden fields. An id without a record in the
 * reader's org stays an id.
 * @throws ServiceError 1130 when the reader may not read a referenced resource
 */
export async function readPopulated(
  reader: Reader,
  found: Found[],
  { populate, maxTimeMS }: PopulateOptions,
): Promise<Found[]> {
  const targets = populate.map((field) => ({ path: field.path.split('.'), target: populateTarget(reader, field) }));
  let populated = found;
  for (const { path, target } of targets) {
    const ids = new Map<string, ObjectId>();
    for (const record of populated) visitIds(record, path, (id) => ids.set(id.toHexString(), id));
    const records = await readNamed(reader, target, [...ids.values()], maxTimeMS);
    const named = (id: ObjectId) => records.get(id.toHexString()) ?? id;
    populated = populated.map((record) => visitIds(record, path, named));
  }
  return populated;
}

/** The records of the reader's org with these ids, without hidden fields. They may be wide, so they are read in turns. */
async function readNamed(
  { db, org }: Reader,
  target: Resource,
  ids: readonly ObjectId[],
  maxTimeMS: number,
): Promise<ReadonlyMap<string, Found>> {
  if (ids.length === 0) return new Map();
  const projection = Object.fromEntries(target.hidden.map((name) => [name, 0] as const));
  const cursor = db
    .collection<Found & { _id: ObjectId }>(target.path)
    .find({ org, _id: { $in: ids } }, { projection, maxTimeMS });
  const records = await readYielding<Found & { _id: ObjectId }>(cursor);
  return new Map(records.map((record) => [record._id.toHexString(), record]));
}

/** Copies a value along a path, with what `replace` makes of each id at its end. Steps through lists take all elements. */
function visitIds<T>(value: T, path: readonly string[], replace: (id: ObjectId) => unknown): T;
function visitIds(value: unknown, path: readonly string[], replace: (id: ObjectId) => unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => visitIds(each, path, replace));
  const [name, ...rest] = path;
  if (name === undefined) return value instanceof ObjectId ? replace(value) : value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value;
  return { ...value, [name]: visitIds(Reflect.get(value, name), rest, replace) };
}

function populateTarget(reader: Reader, { path, ref }: Field): Resource {
  const target = reader.resources.find(({ name }) => name === ref);
  if (!target) throw malformed(message('query.populateUnreadable', { path }));
  const permission = target.permissions.read;
  if (!reader.permissions.has(permission)) {
    throw new ServiceError('forbidden', message('query.permissionToPopulate', { permission, path }));
  }
  return target;
}
