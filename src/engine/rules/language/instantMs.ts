import { parseInstant } from '#base/schema/instant';

const dayOnly = /^\d{4}-\d{2}-\d{2}$/;

/** Tells whether a string is a date that {@link instantMs} reads. */
export function isDateText(text: string): boolean {
  return !Number.isNaN(instantMs(text));
}

/** Most cached strings: literals of rules and values of members. The cache is bounded like the cache of paths. */
const memoMax = 10_000;

/** The most characters of a date; longer strings are not cached. */
const textMax = 40;

const memo = new Map<string, number>();

/**
 * The milliseconds since 1970 of a value: a Date, a string in an accepted date format, or a day (`2026-01-31` means its
 * midnight in UTC). NaN for anything else.
 */
export function instantMs(value: unknown): number {
  if (value instanceof Date) return value.getTime();
  if (typeof value !== 'string' || value.length > textMax) return Number.NaN;
  const known = memo.get(value);
  if (known !== undefined) return known;
  if (memo.size >= memoMax) memo.clear();
  const text = dayOnly.test(value) ? `${value}T00:00:00Z` : value;
  const ms = parseInstant(text)?.getTime() ?? Number.NaN;
  memo.set(value, ms);
  return ms;
}
