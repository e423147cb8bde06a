import { invalidField } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { readDuplicateKey } from '#base/db/readDuplicateKey';

/** The fields that have a key stored beside them, which ignores case. */
const shown: Readonly<Record<string, string>> = { codeKey: 'code', usernameKey: 'username' };

/**
 * Translates an error of a write that violates a unique index. The result names the last field of the index as wrong
 * (422, kind `unique`), with its position when it is within a list. Any other error is returned unchanged.
 */
export function uniqueFault(error: unknown, written: object): unknown {
  const [taken] = [...(readDuplicateKey(error) ?? [])].filter(([name]) => name !== 'org').slice(-1);
  if (!taken) return error;
  const [name, value] = taken;
  const [path = shown[name] ?? name] = shown[name] ? [] : pathsOfValue(written, name.split('.'), String(value), '');
  return invalidField(path, 'unique', message('refs.taken'));
}

/** Returns the paths at which a value occurs. Unlike `valuesAt`, the paths include positions in lists. */
function pathsOfValue(node: unknown, segments: readonly string[], value: string, path: string): string[] {
  if (Array.isArray(node))
    return node.flatMap((each, index) => pathsOfValue(each, segments, value, `${path}${index}.`));
  const [segment, ...rest] = segments;
  if (segment === undefined) return String(node) === value ? [path.slice(0, -1)] : [];
  if (typeof node !== 'object' || node === null) return [];
  return pathsOfValue(Reflect.get(node, segment), rest, value, `${path}${segment}.`);
}
