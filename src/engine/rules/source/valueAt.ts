import type { JsonPath } from './ruleSource';

/** The value of a rule file at a place; undefined when nothing is there. Positions in lists count as names. */
export function valueAt(value: unknown, place: JsonPath): unknown {
  return place.reduce<unknown>(
    (node, name) =>
      typeof node === 'object' && node !== null && Object.hasOwn(node, name) ? Reflect.get(node, name) : undefined,
    value,
  );
}
