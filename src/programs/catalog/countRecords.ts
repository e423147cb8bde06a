import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { isTooSlow } from '#base/db/transaction';
import type { Filter } from '#base/query/filter';
import { queryLimits } from '#base/query/queryLimits';
import type { FilterModel } from '#engine/filters/filterFields';
import { locationResource } from '#records/catalog/location';
import { productResource } from '#records/catalog/product';

const paths: Record<FilterModel, string> = { Product: productResource.path, Location: locationResource.path };

/**
 * Counts the records that a query selects. `text` identifies the query. The count is undefined when there is no time
 * for it.
 */
export type CountRecords = (model: FilterModel, query: Filter, text: string) => Promise<number | undefined>;

/**
 * Makes the counter of one answer. It counts each query once, and starts no count later than `queryLimits.timeMaxMs`.
 */
export function createCounter(db: Connection, org: ObjectId): CountRecords {
  const deadline = AbortSignal.timeout(queryLimits.timeMaxMs);
  const counted = new Map<string, Promise<number | undefined>>();
  return (model, query, text) => {
    const key = `${model} ${text}`;
    const known = counted.get(key);
    if (known) return known;
    const count = deadline.aborted ? Promise.resolve(undefined) : countWithin(db, org, paths[model], query);
    counted.set(key, count);
    return count;
  };
}

async function countWithin(db: Connection, org: ObjectId, path: string, query: Filter): Promise<number | undefined> {
  try {
    return await db.collection(path).countDocuments({ $and: [{ org }, query] }, { maxTimeMS: queryLimits.timeMaxMs });
  } catch (error) {
    if (isTooSlow(error)) return undefined;
    throw error;
  }
}
