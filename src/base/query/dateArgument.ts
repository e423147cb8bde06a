import { malformed } from '#base/common/errors';
import { parseInstant } from '#base/schema/instant';

/** What a date in a query argument has to be. A `+` that is not encoded arrives as a blank. */
export const aDate = 'a date such as 2026-01-31T13:45:00.000Z (in a URL write + as %2B)';

/**
 * Reads the date in a query argument.
 * @throws ServiceError 1210 naming the argument
 */
export function dateArgument(name: string, text: string): Date {
  const date = parseInstant(text);
  if (!date) throw malformed(`${name} must be ${aDate}`);
  return date;
}
