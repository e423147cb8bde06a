import { malformed } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { hasControlCharacters } from '#base/schema/textFaults';
import { quote } from './quote';

/**
 * Reads the query arguments of a request by name.
 * @param lists names of lists of words. Clients may send one argument for each word: `select=a&select=b` means
 *   `select=a,b`
 * @param bracketed names of arguments that are sent as `name[key]`, once for each key
 * @throws ServiceError 1210 for an argument without a name, given twice (except lists of words), or with control
 *   characters; also for a name with brackets (`query[$ne]`) or a NUL, and for the name `__proto__`
 */
export function singleArguments(
  searchParams: URLSearchParams,
  lists: readonly string[] = [],
  bracketed: readonly string[] = [],
): Record<string, string> {
  const args: Record<string, string> = {};
  for (const [name, value] of searchParams) {
    if (/[[\]]/.test(name) && !isBracketed(name, bracketed))
      throw malformed(message('query.argumentBrackets', { name: quote(name) }));
    if (name === '' || name === '__proto__' || name.includes('\0')) {
      throw malformed(message('query.argumentNoName', { name: quote(name) }));
    }
    const before = Object.hasOwn(args, name) ? args[name] : undefined;
    if (before !== undefined && !lists.includes(name)) {
      throw malformed(message('query.argumentTwice', { name: quote(name) }));
    }
    if (hasControlCharacters(name) || hasControlCharacters(value)) {
      throw malformed(message('query.argumentControlCharacters', { name: quote(name) }));
    }
    args[name] = before === undefined ? value : `${before},${value}`;
  }
  return args;
}

/** Whether an argument is one of those that are sent as `name[key]`. The key may be any string, also with brackets. */
export function isBracketed(name: string, bracketed: readonly string[]): boolean {
  return bracketed.some((each) => name.startsWith(`${each}[`) && name.endsWith(']') && name.length > each.length + 2);
}
