import type { TSchema } from '@sinclair/typebox';
import type { Resource } from '../schema/resource';
import { type Field, fieldsOf } from './fields';

/** Every field that the schema of a resource names, those within objects and lists after them; any name may stand below a free one. */
export function namedFields(resource: Resource): Field[] {
  const table = fieldsOf(resource);
  return pathsWithin(resource.answer).flatMap((path) => table.find(path) ?? []);
}

function pathsWithin(schema: TSchema, prefix = ''): string[] {
  const { properties = {} } = schema.type === 'array' ? schema.items : schema;
  const named: [string, TSchema][] = Object.entries(properties);
  return named.flatMap(([name, child]) => [`${prefix}${name}`, ...pathsWithin(child, `${prefix}${name}.`)]);
}
