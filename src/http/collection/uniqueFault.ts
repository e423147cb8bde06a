import { invalidField } from '../../common/errors';
import { duplicateKeyOf } from '../../db/duplicateKey';

/**
 * What a failed write means when it met a unique index: the field that is taken, the last of the index, is wrong (422,
 * kind `unique`); within a list it is named with its position. Any other error is answered as it is.
 */
export function uniqueFault(error: unknown, written: object): unknown {
  const [taken] = [...(duplicateKeyOf(error) ?? [])].filter(([name]) => name !== 'org').slice(-1);
  if (!taken) return error;
  const [name, value] = taken;
  const [path = name] = placesOf(written, name.split('.'), String(value), '');
  return invalidField(path, 'unique', 'is taken by another record');
}

/** Where a value stands below a path; unlike `valuesAt` it tells the positions in lists. */
function placesOf(node: unknown, segments: readonly string[], value: string, path: string): string[] {
  if (Array.isArray(node)) return node.flatMap((each, index) => placesOf(each, segments, value, `${path}${index}.`));
  const [segment, ...rest] = segments;
  if (segment === undefined) return String(node) === value ? [path.slice(0, -1)] : [];
  if (typeof node !== 'object' || node === null) return [];
  return placesOf(Reflect.get(node, segment), rest, value, `${path}${segment}.`);
}
