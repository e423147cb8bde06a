import type { Resource } from '../db/resource';
import { ServiceError } from '../errors';
import type { ReadRequest } from './parseQuery';
import { queryLimits } from './queryLimits';

const running = new Map<string, number>();

/**
 * Runs a heavy read unless the user has four of them running in this process: one user's reports must not starve the
 * rest. The count is in memory, since a lost process ends its reads too.
 * @throws ServiceError 1260 at once, with Retry-After
 */
export async function runHeavy<T>(user: string, read: () => Promise<T>): Promise<T> {
  const count = running.get(user) ?? 0;
  if (count >= queryLimits.heavyAtOnceMax) throw tooMany();
  running.set(user, count + 1);
  try {
    return await read();
  } finally {
    const left = (running.get(user) ?? 1) - 1;
    if (left > 0) running.set(user, left);
    else running.delete(user);
  }
}

function tooMany(): ServiceError {
  const message = `${queryLimits.heavyAtOnceMax} searches of yours are running; wait for one, or filter by an indexed field`;
  return new ServiceError('rateLimited', message, { headers: { 'Retry-After': '1' } });
}

/**
 * Tells whether a read may have to look at many records: it has a regular expression, distinct values, a `skip` past
 * 10,000, or a filter or order that no index of the resource begins with.
 */
export function isHeavy(resource: Resource, request: ReadRequest): boolean {
  if (request.hasRegex || request.distinct || request.skip > queryLimits.heavySkip) return true;
  const indexed = indexedFields(resource);
  if (isServed(request.filter, indexed)) return false;
  const isWhole = Object.keys(request.filter).length === 0;
  return !isWhole || !indexed.has(Object.keys(request.sort)[0] ?? '_id');
}

/** The field that each index orders by after the org. */
function indexedFields(resource: Resource): ReadonlySet<string> {
  const first = resource.indexes.map(({ keys }) => Object.keys(keys).find((key) => key !== 'org') ?? '_id');
  return new Set(['_id', ...first]);
}

const servedOperators: readonly string[] = ['$eq', '$in', '$gt', '$gte', '$lt', '$lte', '$all', '$elemMatch'];

function isServed(filter: unknown, indexed: ReadonlySet<string>): boolean {
  if (typeof filter !== 'object' || filter === null) return false;
  return Object.entries(filter).some(([key, value]: [string, unknown]) => {
    if (key === '$and' && Array.isArray(value)) return value.some((branch) => isServed(branch, indexed));
    if (key === '$or' && Array.isArray(value)) return value.every((branch) => isServed(branch, indexed));
    if (!indexed.has(key) || typeof value !== 'object' || value === null) return false;
    return Object.keys(value).some((operator) => servedOperators.includes(operator));
  });
}
