import { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { isPlainObject } from '#base/common/plainObject';
import { eachYielding } from '#base/db/readYielding';
import { type Author, newStamps } from '#base/db/records';
import type { Resource } from '#base/schema/resource';
import { definitionResources } from '#exchange/definitions/definitionResources';

/** New ids of copied definitions by their old ones, as hexadecimal strings. */
export type CopiedIds = ReadonlyMap<string, ObjectId>;

type Stored = Record<string, unknown> & { _id: ObjectId };

/** The most records that one command inserts. */
const batchMax = 1000;

/**
 * Copies the definitions of an org into another one that has none. References point to the copies.
 * @param from the org to copy
 * @param author the new org, and who makes the copies
 */
export async function copyDefinitions(
  db: Connection,
  from: ObjectId,
  author: Author,
  now: Date,
  onCopied: (path: string, count: number) => void,
): Promise<CopiedIds> {
  const ids = await newIds(db, from);
  for (const resource of definitionResources) {
    const source = db.collection<Stored>(resource.path);
    let batch: Stored[] = [];
    let count = 0;
    for await (const record of eachYielding(source.find({ org: from }).sort({ org: 1, _id: 1 }))) {
      batch.push(copyRecord(resource, record, ids, author, now));
      if (batch.length < batchMax) continue;
      count += await insert(db, resource, batch);
      batch = [];
    }
    count += await insert(db, resource, batch);
    if (count > 0) onCopied(resource.path, count);
  }
  return ids;
}

async function newIds(db: Connection, org: ObjectId): Promise<CopiedIds> {
  const ids = new Map<string, ObjectId>();
  for (const { path } of definitionResources) {
    const found = db
      .collection<Stored>(path)
      .find({ org }, { projection: { _id: 1 } })
      .sort({ org: 1, _id: 1 });
    for await (const { _id } of found) ids.set(_id.toHexString(), new ObjectId());
  }
  return ids;
}

async function insert(db: Connection, { path }: Resource, batch: Stored[]): Promise<number> {
  if (batch.length > 0) await db.collection<Stored>(path).insertMany(batch);
  return batch.length;
}

function copyRecord(resource: Resource, record: Stored, ids: CopiedIds, author: Author, now: Date): Stored {
  const { _id, hasMembers, amountsIn, ext, ...fields } = record;
  const own = withIds(fields, ids);
  const copied = ext === undefined ? own : { ...own, ext };
  const stamped = { ...copied, ...newStamps(author, now, ids.get(_id.toHexString()) ?? new ObjectId()) };
  return isListOfOthers(resource, record) ? { ...stamped, ids: [] } : stamped;
}

/** A list of members, for example, lists members of the other org. */
function isListOfOthers({ name }: Resource, { ids, model }: Stored): boolean {
  return name === 'NamedList' && ids !== undefined && !definitionResources.some((each) => each.name === model);
}

/** Replaces the ids of copied definitions in a value, also in strings, such as stored queries. */
export function withIds<T>(value: T, ids: CopiedIds): T {
  return replaced(value, ids) as T;
}

function replaced(value: unknown, ids: CopiedIds): unknown {
  if (value instanceof ObjectId) return ids.get(value.toHexString()) ?? value;
  if (value instanceof Date) return value;
  if (typeof value === 'string') {
    return value.replace(/\b[0-9a-f]{24}\b/gi, (id) => ids.get(id.toLowerCase())?.toHexString() ?? id);
  }
  if (Array.isArray(value)) return value.map((each) => replaced(each, ids));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replaced(each, ids)]));
}
