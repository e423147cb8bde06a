import { ObjectId } from 'bson';
import { ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { isPlainObject } from '#base/common/plainObject';
import { createUserSlots } from '#base/limits/userSlots';
import type { Resource } from '#base/schema/resource';
import type { Filter } from '../filter';
import type { ReadRequest } from '../parseQuery';
import { queryLimits } from '../queryLimits';

const takeSlot = createUserSlots({ perUser: queryLimits.heavyAtOnceMax, refused: tooMany });

/**
 * Runs a heavy read unless the user already has four running in this process: the reports of one user must not slow
 * down other users.
 * @throws ServiceError 1260 at once, with Retry-After
 */
export async function runHeavy<T>(user: string, read: () => Promise<T>): Promise<T> {
  const free = takeSlot(user);
  try {
    return await read();
  } finally {
    free();
  }
}

function tooMany(): ServiceError {
  const reason = message('query.tooManySearches', { max: queryLimits.heavyAtOnceMax });
  return new ServiceError('rateLimited', reason, { headers: { 'Retry-After': '1' } });
}

/**
 * The expected cost of a read:
 * - `light`: it examines no more records than it answers.
 * - `heavy`: it may examine many records. It has a regular expression, distinct values, a large `skip`, an order
 *   without an index, or a filter without a value that an index finds.
 * - `unknown`: the cost depends on the data, so it is measured.
 *
 * A range such as `_id > 000…` may select almost everything. So it avoids `heavy` only when it is the whole filter and
 * the order uses the same index.
 */
export type ReadWeight = 'light' | 'unknown' | 'heavy';

/** Weighs a read of records by its filter, order, `skip` and references. */
export function weighRead(resource: Resource, request: ReadRequest): ReadWeight {
  const { filter, sort, skip, after, populate } = request;
  if (request.hasRegex || request.distinct || skip > queryLimits.heavySkip) return 'heavy';
  const indexed = indexedFields(resource);
  const [order = '_id'] = Object.keys(sort);
  if (after && order !== '_id') return 'heavy';
  const isWhole = Object.keys(filter).length === 0;
  const known = populate.length > 0 ? 'unknown' : 'light';
  if (isWhole) return indexed.has(order) ? known : 'heavy';
  if (isOne(filter)) return known;
  return isFound(filter, indexed) || (indexed.has(order) && isRangeOn(filter, order)) ? 'unknown' : 'heavy';
}

/** Returns the field by which each index is ordered after the org. */
function indexedFields(resource: Resource): ReadonlySet<string> {
  const first = resource.indexes.map(({ keys }) => Object.keys(keys).find((key) => key !== 'org') ?? '_id');
  return new Set(['_id', ...first]);
}

function isOne({ _id }: Filter): boolean {
  return isPlainObject(_id) && _id.$eq instanceof ObjectId;
}

/**
 * Tells whether a filter needs values that an index finds. null is no such value, since most records may lack the
 * field.
 */
function isFound(filter: unknown, indexed: ReadonlySet<string>): boolean {
  if (!isPlainObject(filter)) return false;
  return Object.entries(filter).some(([key, value]: [string, unknown]) => {
    if (key === '$and' && Array.isArray(value)) return value.some((branch) => isFound(branch, indexed));
    if (key === '$or' && Array.isArray(value)) return value.every((branch) => isFound(branch, indexed));
    if (!indexed.has(key) || !isPlainObject(value)) return false;
    const { $eq, $in, $all } = value;
    return (
      ($eq !== undefined && $eq !== null) || [$in, $all].some((list) => Array.isArray(list) && !list.includes(null))
    );
  });
}

const rangeOperators: readonly string[] = ['$gt', '$gte', '$lt', '$lte'];

function isRangeOn(filter: Filter, field: string): boolean {
  const [[only, value] = []] = Object.entries(filter);
  const isAlone = Object.keys(filter).length === 1 && only === field && isPlainObject(value);
  return isAlone && Object.keys(value).every((operator) => rangeOperators.includes(operator));
}
