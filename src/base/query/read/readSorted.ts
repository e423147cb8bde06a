import type { mongo } from 'mongoose';
import { readYielding } from '#base/db/readYielding';
import type { Filter } from '../filter';
import type { Page } from '../page';
import { isInclusive, type Projection } from '../select';
import type { Sort } from '../sort';
import type { Found } from './found';

/** The page to read of the records that a filter selects. */
export interface Sorted extends Page {
  filter: Filter;
  sort: Sort;
  projection: Projection;
}

/** A page of records. `last` has the values of the last one for `keys` of the page; a missing value is null. */
export interface FoundPage {
  found: Found[];
  last?: readonly unknown[] | undefined;
}

/**
 * Reads a page of records in an order.
 * @param maxTimeMS milliseconds that the database may spend; absent: no limit of its own
 */
export async function readSorted(
  collection: mongo.Collection,
  { filter, after, sort, skip, limit, keys, projection }: Sorted,
  maxTimeMS?: number,
): Promise<FoundPage> {
  const within = maxTimeMS === undefined ? {} : { maxTimeMS };
  const selected = after ? { $and: [filter, after] } : filter;
  if (!keys) {
    const options = { projection, sort, skip, limit, batchSize: limit, ...within };
    return { found: await readYielding<Found>(collection.find(selected, options)) };
  }
  const stages = [{ $match: selected }, { $sort: sort }, { $skip: skip }, { $limit: limit }, withValues(keys)];
  const rows = await readYielding(collection.aggregate<Found>([...stages, ...projected(projection)], within));
  const last = rows.at(-1)?.[valuesField];
  return { found: rows.map(withoutValues), last: Array.isArray(last) ? last : undefined };
}

/** Holds the values to sort by of each record on its way. No resource has a field of this name. */
const valuesField = '__sortedBy';

/** `select` may leave out the keys, so their values are kept before it. */
function withValues(keys: readonly string[]) {
  return { $set: { [valuesField]: keys.map((path) => ({ $ifNull: [`$${path}`, null] })) } };
}

function projected(projection: Projection): { $project: Projection }[] {
  if (Object.keys(projection).length === 0) return [];
  return [{ $project: isInclusive(projection) ? { ...projection, [valuesField]: 1 } : projection }];
}

function withoutValues({ [valuesField]: _values, ...record }: Found): Found {
  return record;
}
