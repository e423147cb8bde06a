import type { TSchema } from '@sinclair/typebox';

/**
 * The paths of everything in these fields that may hold a text which names something: texts, objects of any content and
 * queries. References are left out, which `x-ref` declares, and what is a date, a number, or one of a list of words.
 */
export function textLeaves(fields: Readonly<Record<string, TSchema>>): string[] {
  return [...new Set(Object.entries(fields).flatMap(([name, schema]) => leavesOf(schema, name)))];
}

function leavesOf(schema: TSchema, path: string): string[] {
  const inner = childrenOf(schema, path);
  if (inner.length > 0) return inner.flatMap(([name, child]) => leavesOf(child, name));
  const isWord = schema.enum !== undefined || schema.const !== undefined;
  const isOther = ['x-ref', 'x-ref-any', 'x-date', 'x-readOnly', 'x-timezone', 'x-currency'].some((tag) => schema[tag]);
  const types: unknown[] = [schema.type].flat();
  const isText = types.some((type) => type === undefined || type === 'string' || type === 'object');
  return isText && !isWord && !isOther && schema.not === undefined ? [path] : [];
}

function childrenOf(schema: TSchema, path: string): [string, TSchema][] {
  const parts = ['anyOf', 'allOf', 'oneOf'].flatMap((name): TSchema[] => schema[name] ?? []);
  const branches = [...parts, schema.then, schema.else].filter((each): each is TSchema => each !== undefined);
  const others = typeof schema.additionalProperties === 'object' ? [[`${path}.*`, schema.additionalProperties]] : [];
  return [
    ...(schema.type === 'array' && schema.items ? [[`${path}[]`, schema.items]] : []),
    ...Object.entries(schema.properties ?? {}).map(([name, child]) => [`${path}.${name}`, child]),
    ...others,
    ...branches.map((each) => [path, each]),
  ] as [string, TSchema][];
}
