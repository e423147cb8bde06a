import { malformed } from '#base/common/errors';
import { isPlainObject } from '#base/common/plainObject';
import { isTooDeep } from '#base/schema/freeObject';
import { textFaults } from '#base/schema/textFaults';
import { queryLimits } from './queryLimits';
import { quote } from './quote';

/**
 * Reads an argument that is a JSON object. Refuses keys that no part of the query language allows, at any depth: empty
 * keys, `__proto__`, `_bsontype` (the driver would read the object as a BSON type), and keys with a NUL character.
 * @throws ServiceError 1210
 */
export function parseJsonArgument(name: string, text: string): Record<string, unknown> {
  if (Buffer.byteLength(text) > queryLimits.argumentMaxBytes) {
    throw malformed(`${name} is longer than ${queryLimits.argumentMaxBytes} bytes; ask for less at once`);
  }
  const value = parseJson(name, text);
  if (!isPlainObject(value)) throw malformed(`${name} must be a JSON object, such as {"name":"x"}`);
  if (isTooDeep(value)) throw malformed(`${name} nests too deep`);
  refuseUnfitKeys(name, value);
  if (textFaults(value).length > 0) throw malformed(`${name} holds control characters or lone surrogates`);
  return value;
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed(`${name} is not valid JSON; quote names and texts with " and encode it for the URL`);
  }
}

function refuseUnfitKeys(name: string, root: object): void {
  const waiting: object[] = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    for (const [key, child] of Object.entries(node)) {
      if (isUnfit(key)) throw malformed(`${name} must not hold the key ${quote(key)}`);
      if (typeof child === 'object' && child !== null) waiting.push(child);
    }
  }
}

function isUnfit(key: string): boolean {
  return key === '' || key === '__proto__' || key === '_bsontype' || key.includes('\0');
}
