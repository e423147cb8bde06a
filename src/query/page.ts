import { malformed } from '../common/errors';
import { queryLimits } from './queryLimits';

/** Which part of what is found a read answers. */
export interface Page {
  /** Records passed over, 0 to 1,000,000. */
  skip: number;
  /** Records answered at most, 1 to 1000. */
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
 * The query arguments, without `?`, of the page after a full one.
 * @returns undefined when this page was not full, or the next begins past the largest `skip`
 */
export function nextPage(args: Record<string, string>, { skip, limit }: Page, found: number): string | undefined {
  const next = skip + limit;
  if (found < limit || next > queryLimits.skipMax) return undefined;
  return new URLSearchParams({ ...args, skip: String(next), limit: String(limit) }).toString();
}
