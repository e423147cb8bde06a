import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { RE2JS } from 're2js';
import { pushTo } from '#base/common/lists/groupBy';
import { collectionOf } from '#base/db/collections';
import { enumResource } from '#records/catalog/enumValue';
import { type ExtDef, extDefResource } from '#records/extensions/extDef';
import type { ExtDefinitions } from '#records/extensions/extDefinitions';
import { extModelName } from '#records/extensions/extModels';
import { extSchemaResource } from '#records/extensions/extSchema';
import type { ExtField } from './extField';
import { makeExtDefinitions, noExtDefinitions } from './makeExtDefinitions';

/** Reads the extension fields that an org has defined. An org without them needs one query. */
export async function loadExtDefinitions(db: Connection, org: ObjectId): Promise<ExtDefinitions> {
  const schemas = await collectionOf(db, extSchemaResource).find({ org }).toArray();
  if (schemas.length === 0) return noExtDefinitions;
  const defs = await collectionOf(db, extDefResource).find({ org }).sort({ _id: 1 }).toArray();
  const values = await loadEnums(db, org, defs);
  const modelOf = new Map(schemas.map(({ _id, model }) => [_id.toHexString(), extModelName(model)]));
  const fields = new Map<string, ExtField[]>();
  for (const def of defs) {
    const model = modelOf.get(def.extSchema.toHexString());
    if (model === undefined) continue;
    const { pattern, ...own } = def;
    const field = {
      ...own,
      ...(pattern === undefined ? {} : { pattern: RE2JS.compile(pattern) }),
      values: values.get(def.enumType ?? '') ?? new Set<string>(),
    };
    pushTo(fields, model, field);
  }
  return makeExtDefinitions(fields);
}

/** Reads the values of the Enum types that definitions name. */
async function loadEnums(db: Connection, org: ObjectId, defs: readonly ExtDef[]): Promise<Map<string, Set<string>>> {
  const types = defs.flatMap(({ type, enumType }) => (type === 'enum' && enumType !== undefined ? [enumType] : []));
  if (types.length === 0) return new Map();
  const found = await collectionOf(db, enumResource)
    .find({ org, type: { $in: types } })
    .toArray();
  const values = new Map<string, Set<string>>();
  for (const { type, value } of found) values.set(type, (values.get(type) ?? new Set<string>()).add(value));
  return values;
}
