import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { readLocal } from './readLocal';

/**
 * Which of these records an org has, as hexadecimal ids. Without ids it reads nothing.
 * @param options of the read, such as {@link readLocal}
 */
export async function existingIds(
  db: Connection,
  org: ObjectId,
  path: string,
  ids: readonly ObjectId[],
  options: Partial<typeof readLocal> = {},
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const found = await db
    .collection<{ _id: ObjectId }>(path)
    .find({ org, _id: { $in: [...ids] } }, { projection: { _id: 1 }, ...options })
    .toArray();
  return new Set(found.map(({ _id }) => _id.toHexString()));
}
