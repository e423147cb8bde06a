import assert from 'node:assert';
import type { TSchema } from '@sinclair/typebox';

/** Finds the schemas with a name (see `named`) in schemas of answers, by name. */
export function namedShapes(answers: readonly TSchema[]): Map<string, TSchema> {
  const found = new Map<string, TSchema>();
  const waiting = [...answers];
  for (let schema = waiting.pop(); schema; schema = waiting.pop()) {
    const name: unknown = schema['x-name'];
    if (typeof name === 'string') {
      const known = found.get(name);
      assert(!known || JSON.stringify(known) === JSON.stringify(schema), `two schemas have the name ${name}`);
      if (known) continue;
      found.set(name, schema);
    }
    waiting.push(...schemaParts(schema));
  }
  return found;
}

/** The schemas directly within a schema. */
function schemaParts({ properties = {}, items, additionalProperties, anyOf = [], oneOf = [], allOf = [] }: TSchema) {
  const parts: unknown[] = [...Object.values(properties), items, additionalProperties, ...anyOf, ...oneOf, ...allOf];
  return parts.filter((part): part is TSchema => typeof part === 'object' && part !== null);
}
