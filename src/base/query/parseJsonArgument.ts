import { malformed } from '#base/common/errors';
import { message } from '#base/common/messages/message';
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
    throw malformed(message('query.argumentTooLong', { name, max: queryLimits.argumentMaxBytes }));
  }
  const value = parseJson(name, text);
  if (!isPlainObject(value)) throw malformed(message('query.jsonObject', { name }));
  if (isTooDeep(value)) throw malformed(message('query.nestsTooDeep', { name }));
  refuseUnfitKeys(name, value);
  if (textFaults(value).length > 0) throw malformed(message('query.unfitCharacters', { name }));
  return value;
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed(message('query.notJson', { name }));
  }
}

function refuseUnfitKeys(name: string, root: object): void {
  const waiting: object[] = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    for (const [key, child] of Object.entries(node)) {
      if (isUnfit(key)) throw malformed(message('query.refusedKey', { name, key: quote(key) }));
      if (typeof child === 'object' && child !== null) waiting.push(child);
    }
  }
}

function isUnfit(key: string): boolean {
  return key === '' || key === '__proto__' || key === '_bsontype' || key.includes('\0');
}
