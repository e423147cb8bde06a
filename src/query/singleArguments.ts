import { malformed } from '../common/errors';
import { isUnfitText } from '../schema/textFaults';
import { quote } from './quote';

/**
 * Reads the query arguments of a request by name.
 * @throws ServiceError 1210 for an argument that is given twice, has no name, has brackets in its name (`query[$ne]`),
 *   has a NUL or `__proto__` as or in its name, or has control characters
 */
export function singleArguments(searchParams: URLSearchParams): Record<string, string> {
  const args: Record<string, string> = {};
  for (const [name, value] of searchParams) {
    if (/[[\]]/.test(name))
      throw malformed(`Argument ${quote(name)}: brackets have no meaning; write query={"field":…}`);
    if (name === '' || name === '__proto__' || name.includes('\0')) {
      throw malformed(`Argument ${quote(name)} is not a name`);
    }
    if (Object.hasOwn(args, name))
      throw malformed(`Argument ${quote(name)} is given twice; use query for two conditions`);
    if (isUnfitText(name) || isUnfitText(value)) {
      throw malformed(`Argument ${quote(name)} holds control characters`);
    }
    args[name] = value;
  }
  return args;
}
