import type { ObjectId } from 'bson';
import { byForm, comparable, soughtForms } from '#base/schema/findable';
import type { IdsByName, ImportContext, ImportRow } from './importKind';

const isId = /^[0-9a-f]{24}$/i;

/** Tells whether a value of a row is a string that is no id. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && !isId.test(value);
}

/**
 * Reads the ids of the records that rows name in a field by something other than their id.
 * @param by the field of the records that has the name: a string or a list of strings
 */
export async function idsByName(
  { services, principal }: ImportContext,
  collection: string,
  by: string,
  names: readonly unknown[],
): Promise<IdsByName> {
  const unique = [...new Set(names.filter(isName))];
  if (unique.length === 0) return new Map();
  const found = await services.db
    .collection<{ _id: ObjectId }>(collection)
    .find({ org: principal.org, [by]: { $in: unique.flatMap(soughtForms) } }, { projection: { [by]: 1 } })
    .toArray();
  return byForm(found.flatMap((doc) => [Reflect.get(doc, by)].flat().map((name) => [String(name), doc._id] as const)));
}

/** The value of a row with the id in place of the name; a name that nobody has stays, and the schema refuses it. */
export function withId(value: ImportRow['value'], field: string, ids: IdsByName): ImportRow['value'] {
  const name = value[field];
  const id = isName(name) ? ids.get(comparable(name)) : undefined;
  return id ? { ...value, [field]: id.toHexString() } : value;
}
