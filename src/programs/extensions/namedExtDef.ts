import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { readLocal } from '#base/db/readLocal';
import { type ExtDef, extDefResource } from '#records/extensions/extDef';
import { extModelName } from '#records/extensions/extModels';
import { extSchemaResource } from '#records/extensions/extSchema';

interface Change {
  org: ObjectId;
  model: string;
  before: object;
  after?: object;
}

/**
 * The change of a record as far as names in strings are concerned. An ext def is named by its `field` and by the model
 * that has it, which is added as `of`. With another type it is another field, so a change of the type removes the name.
 * Other records are as they are.
 */
export async function asNamed<C extends Change>(db: Connection, change: C): Promise<C> {
  if (change.model !== extDefResource.name) return change;
  const { after, ...rest } = change;
  const { extSchema, type } = change.before as ExtDef;
  const schema = await collectionOf(db, extSchemaResource).findOne({ org: change.org, _id: extSchema }, readLocal);
  const of = extModelName(schema?.model ?? '');
  const before = { ...change.before, of };
  const isKept = after && Reflect.get(after, 'type') === type;
  return { ...rest, before, ...(isKept && { after: { ...after, of } }) } as unknown as C;
}
