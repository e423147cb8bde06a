type JsonSchema = Record<string, unknown>;

/** The schema of a field of a body that may also be null: then it has no value. */
export function nullable(schema: JsonSchema): JsonSchema {
  const { type, enum: words, description, examples, ...others } = schema;
  const types = [type].flat();
  const isPlain = typeof type === 'string' ? scalars.includes(type) && !('not' in schema) : Array.isArray(type);
  if (isPlain && Array.isArray(words)) return { ...schema, type: [...types, 'null'], enum: [...words, null] };
  if (isPlain) return { ...schema, type: [...types, 'null'] };
  return {
    ...(description === undefined ? {} : { description }),
    ...(examples === undefined ? {} : { examples }),
    anyOf: [{ ...others, ...(type === undefined ? {} : { type }) }, { type: 'null' }],
  };
}

const scalars = ['string', 'integer', 'number', 'boolean'];
