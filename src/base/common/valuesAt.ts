/**
 * Returns every value of a record at a dotted path, as MongoDB matches it. Within the path it searches the elements of
 * lists; a list at the end gives its elements. It reads own properties only.
 */
export function valuesAt(record: unknown, path: string): unknown[] {
  return valuesBelow(record, path.split('.'));
}

function valuesBelow(node: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (name === undefined) return Array.isArray(node) ? [...node] : [node];
  // MongoDB does not search a list that is itself an element of a list.
  if (Array.isArray(node))
    return node.flatMap((each) => (Array.isArray(each) ? [] : valuesBelow(each, [name, ...rest])));
  if (typeof node !== 'object' || node === null || !Object.hasOwn(node, name)) return [];
  return valuesBelow(Reflect.get(node, name), rest);
}
