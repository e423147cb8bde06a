import type { ObjectId } from 'bson';

/** These ids, each once, in the order in which they first come. */
export function distinctIds(ids: readonly ObjectId[]): ObjectId[] {
  return [...new Map(ids.map((id) => [id.toHexString(), id])).values()];
}
