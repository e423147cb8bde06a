/**
 * Every value of a record at a dotted path, as MongoDB matches it: lists on the way are looked through, of a list at its
 * end it is the elements. Reads own properties only.
 */
export function valuesAt(record: unknown, path: string): unknown[] {
  return valuesBelow(record, path.split('.'));
}

function valuesBelow(node: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (name === undefined) return Array.isArray(node) ? [...node] : [node];
  // MongoDB does not look through a list that is itself an element of one.
  if (Array.isArray(node))
    return node.flatMap((each) => (Array.isArray(each) ? [] : valuesBelow(each, [name, ...rest])));
  if (typeof node !== 'object' || node === null || !Object.hasOwn(node, name)) return [];
  return valuesBelow(Reflect.get(node, name), rest);
}
