import assert from 'node:assert';
import { objectId } from '#base/schema/atoms';
import type { JsonSchema } from './openApiSchema';

/** Returns the schema that a `$ref` names. */
export type Resolve = (ref: string) => JsonSchema;

/** Options of {@link makeExample}. */
export interface ExampleOptions {
  resolve: Resolve;
  /** True to leave out optional references to records and free objects, so that the body can be sent as it is. */
  isSparse: boolean;
}

/** Examples for fields with a pattern. The first one that matches is taken. */
const candidates = [
  '64b7f0c2a9d3e4f5a6b7c8d9',
  '2026-01-31T13:45:00.000Z',
  '2026-01-31',
  '18:00',
  'Europe/Paris',
  'USD',
  'main',
  'String',
  'Sat',
];

/** The depth at which recursive schemas are cut. */
const depthMax = 12;

/**
 * Makes an example of a schema of the document, the same one every time. It is one of the schema's own `examples`,
 * `const`, `enum` or `default`, else a value that its type, format and bounds allow.
 */
export function makeExample(schema: JsonSchema, options: ExampleOptions, name = '', depth = 0): unknown {
  const { $ref, examples, enum: words, allOf } = schema;
  if (Array.isArray(examples)) return examples[0];
  if (typeof $ref === 'string') return makeExample(options.resolve($ref), options, name, depth);
  if ('const' in schema) return schema.const;
  if (Array.isArray(words)) return words[0];
  if ('default' in schema) return schema.default;
  const first = firstSchema(schema.anyOf) ?? firstSchema(schema.oneOf);
  if (first) return makeExample(first, options, name, depth);
  // Beside `properties`, `allOf` only says which fields go together, and the properties alone make an example.
  if (Array.isArray(allOf) && !('properties' in schema))
    return Object.assign({}, ...allOf.map((part) => makeExample(part, options, name, depth)));
  const make = makers[schemaType(schema)];
  return make ? make({ schema, options, name, depth }) : {};
}

interface ExampleInput {
  schema: JsonSchema;
  options: ExampleOptions;
  name: string;
  depth: number;
}

const makers: Record<string, (place: ExampleInput) => unknown> = {
  object: exampleObject,
  array: exampleArray,
  string: ({ schema, name }) => exampleText(schema, name),
  integer: ({ schema }) => Math.max(Number(schema.minimum ?? 0), Math.min(1, Number(schema.maximum ?? 1))),
  number: ({ schema }) => Math.max(Number(schema.minimum ?? 0), Math.min(1, Number(schema.maximum ?? 1))),
  boolean: () => true,
  null: () => null,
};

function schemaType({ type }: JsonSchema): string {
  return String(Array.isArray(type) ? type[0] : type);
}

function firstSchema(alternatives: unknown): JsonSchema | undefined {
  return Array.isArray(alternatives) ? alternatives[0] : undefined;
}

function exampleObject({ schema, options, depth }: ExampleInput): unknown {
  const { properties = {}, required = [], minProperties = 0 } = schema;
  const needed = new Set(Array.isArray(required) ? required : []);
  const entries: [string, JsonSchema][] = Object.entries(properties as Record<string, JsonSchema>);
  const shown = entries.filter(
    ([name, property]) => needed.has(name) || (depth < depthMax && isShown(property, options)),
  );
  const chosen = shown.length < Number(minProperties) ? entries.slice(0, Number(minProperties)) : shown;
  return Object.fromEntries(chosen.map(([name, property]) => [name, makeExample(property, options, name, depth + 1)]));
}

/**
 * Tells whether an example shows an optional field. Sparse examples leave out references: the reader does not have
 * these records and would have to remove them.
 */
function isShown(property: JsonSchema, { isSparse }: ExampleOptions): boolean {
  if (!isSparse) return true;
  return isPlain(property) || Array.isArray(property.examples);
}

function isPlain(property: JsonSchema): boolean {
  const isReference = property.pattern === objectId().pattern;
  return ['string', 'integer', 'number', 'boolean'].includes(schemaType(property)) && !isReference;
}

function exampleArray({ schema, options, name, depth }: ExampleInput): unknown {
  const { items, minItems = 0 } = schema;
  if (!isSchema(items) || (depth >= depthMax && minItems === 0)) return [];
  return [makeExample(items, options, name, depth + 1)];
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null;
}

const formats: Record<string, string> = {
  'date-time': '2026-01-31T13:45:00.000Z',
  date: '2026-01-31',
  email: 'ada@example.com',
  uri: 'https://example.com/',
};

function exampleText({ format, pattern, minLength = 0, maxLength = 255 }: JsonSchema, name: string): string {
  const known = typeof format === 'string' ? formats[format] : undefined;
  if (known !== undefined) return known;
  const own = (name === '' ? 'text' : name).padEnd(Number(minLength), ' text').slice(0, Number(maxLength));
  if (typeof pattern !== 'string') return own;
  // eslint-disable-next-line security/detect-non-literal-regexp -- a pattern of our own schemas
  const expression = new RegExp(pattern, 'u');
  const found = [own, ...candidates].find((each) => expression.test(each) && each.length >= Number(minLength));
  assert(found !== undefined, `no example fits ${pattern} of ${name}: give the schema one as examples`);
  return found;
}
