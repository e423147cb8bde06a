import { malformed } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { parseInstant } from '#base/schema/instant';

/** What a date in a query argument has to be. A `+` that is not encoded arrives as a blank. */
export const aDate = message('query.aDate');

/**
 * Reads the date in a query argument.
 * @throws ServiceError 1210 naming the argument
 */
export function dateArgument(name: string, text: string): Date {
  const date = parseInstant(text);
  if (!date) throw malformed(message('query.valueType', { where: name, expected: aDate }));
  return date;
}
