import { parseInstant } from '../../schema/instant';

const dayOnly = /^\d{4}-\d{2}-\d{2}$/;

/** Literals of rules and texts of members; bounded like the memo of paths. */
const memoMax = 10_000;

/** No date is longer; longer texts are not remembered. */
const textMax = 40;

const memo = new Map<string, number>();

/**
 * The milliseconds since 1970 that a value stands for: a Date, a text in an accepted date format, or a day
 * (`2026-01-31`, its midnight in UTC). NaN for anything else.
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
