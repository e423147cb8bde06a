import { malformed } from '../common/errors';
import { queryLimits } from './queryLimits';

/** The part of the found records that a read answers. */
export interface Page {
  /** Number of records to skip, 0 to 1,000,000. */
  skip: number;
  /** Most records in the answer, 1 to 1000. */
  limit: number;
}

/** Parses `skip` and `limit`. @throws ServiceError 1210 */
export function parsePage(args: Record<string, string>, limitDefault: number): Page {
  return {
    skip: wholeNumber('skip', args.skip, 0, queryLimits.skipMax) ?? 0,
    limit: wholeNumber('limit', args.limit, 1, queryLimits.limitMax) ?? limitDefault,
  };
}

function wholeNumber(name: string, text: string | undefined, min: number, max: number): number | undefined {
  if (text === undefined) return undefined;
  const number = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw malformed(`${name} must be a whole number from ${min} to ${max}`);
}

/**
 * Makes the query arguments, without `?`, of the page after a full one.
 * @returns undefined when this page is not full, or when the next page begins past the largest `skip`
 */
export function nextPage(args: Record<string, string>, { skip, limit }: Page, found: number): string | undefined {
  const next = skip + limit;
  if (found < limit || next > queryLimits.skipMax) return undefined;
  return new URLSearchParams({ ...args, skip: String(next), limit: String(limit) }).toString();
}
