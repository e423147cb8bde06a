import { malformed } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { afterKey, type CursorList, keyFields, type Position, readCursor, writeCursor } from './cursor';
import type { FieldTable } from './fields';
import type { Filter } from './filter';
import { queryLimits } from './queryLimits';

/** The part of the found records that a read answers. */
export interface Page {
  /** Number of records to skip. */
  skip: number;
  /** Most records in the answer, 1 to 1000. */
  limit: number;
  /** A filter of the records after the previous pages, instead of `skip`. */
  after?: Filter;
  /** Paths of the keys of the order, when the link to the next page needs the values of the last record. */
  keys?: readonly string[];
}

/** How a list is read. */
export interface Listing extends CursorList {
  fields: FieldTable;
  limitDefault: number;
  /** The greatest `skip` that a client may send; default {@link queryLimits.skipMax}. */
  skipMax?: number | undefined;
}

/**
 * Parses `skip`, `limit` and `after`.
 * @throws ServiceError 1210
 */
export function parsePage(args: Record<string, string>, listing: Listing): Page {
  const { limitDefault, skipMax = queryLimits.skipMax } = listing;
  if (args.after !== undefined && args.skip !== undefined) throw malformed(message('query.afterAndSkip'));
  const limit = wholeNumber('limit', args.limit, 1, queryLimits.limitMax) ?? limitDefault;
  const start =
    args.after === undefined
      ? { skip: wholeNumber('skip', args.skip, 0, skipMax) ?? 0 }
      : readCursor(args.after, listing, listing.fields);
  const isKeyed = 'key' in start || start.skip + limit > skipMax;
  const keys = isKeyed ? keyFields(listing, listing.fields)?.map(({ path }) => path) : undefined;
  return { limit, ...pageStart(start, listing), ...(keys ? { keys } : {}) };
}

function pageStart(start: Position, { sort }: Listing): Pick<Page, 'skip' | 'after'> {
  return 'key' in start ? { skip: 0, after: afterKey(sort, start.key) } : start;
}

function wholeNumber(name: string, text: string | undefined, min: number, max: number): number | undefined {
  if (text === undefined) return undefined;
  const number = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw malformed(message('query.wholeNumberRange', { name, min, max }));
}

/** The end of a page: the number of its records, and the values of the last one when the page has `keys`. */
export interface PageEnd {
  found: number;
  last?: readonly unknown[] | undefined;
}

/**
 * Makes the query arguments, without `?`, of the page after a full one.
 * @returns undefined when this page is not full
 * @throws ServiceError 1210 when the values to sort by are too long for an argument
 */
export function nextPage(
  args: Record<string, string>,
  { skip, limit, keys, ...list }: Page & CursorList & { skipMax?: number | undefined },
  { found, last }: PageEnd,
): string | undefined {
  if (found < limit) return undefined;
  const next = skip + limit;
  if (!keys && next <= (list.skipMax ?? queryLimits.skipMax)) {
    return new URLSearchParams({ ...args, skip: String(next), limit: String(limit) }).toString();
  }
  const { skip: _skip, ...others } = args;
  const after = writeCursor(list, keys && last ? { key: last } : { skip: next });
  return new URLSearchParams({ ...others, limit: String(limit), after }).toString();
}
