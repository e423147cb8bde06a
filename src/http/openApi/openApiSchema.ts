import type { TSchema } from '@sinclair/typebox';
import { instantPattern } from '../../schema/instant';
import { textPattern, unfitInPatterns } from '../../schema/textFaults';

/** A JSON Schema as it stands in the OpenAPI document. */
export type JsonSchema = Record<string, unknown>;

/** Names the schemas that stand once under `components` and are referred to. */
export type SchemaNames = ReadonlyMap<TSchema, string>;

const dateFormats =
  'A date such as 2026-01-31T13:45:00.000Z, with offset +HH:MM or +HHMM, or local without one (`T` or a space between)';

const datePattern = { pattern: instantPattern, examples: ['2026-01-31T13:45:00.000Z'] };

/** Names of `ext` fields and the like: they become paths of queries. */
const freeNames = { pattern: `^(?!__proto__$)[^$.${unfitInPatterns}][^.${unfitInPatterns}]*$` };

const anything = { $ref: '#/components/schemas/FreeValue' };

/** The schemas of objects of any shape (see `freeObject`); they contain themselves. */
export const freeComponents: Record<string, JsonSchema> = {
  FreeObject: {
    type: 'object',
    description: 'A JSON object of any shape, at most 32 levels deep',
    propertyNames: freeNames,
    additionalProperties: anything,
  },
  FreeValue: {
    anyOf: [
      { type: ['string', 'number', 'boolean', 'null'], pattern: textPattern },
      { type: 'array', items: anything },
      { $ref: '#/components/schemas/FreeObject' },
    ],
  },
};

/**
 * Translates a schema of ours into plain JSON Schema 2020-12: our own keywords become what they mean to a client.
 * @param isAnswer dates are answered in one format but taken in several
 */
export function openApiSchema(schema: TSchema, names: SchemaNames, isAnswer: boolean): JsonSchema {
  const name = names.get(schema);
  return name === undefined ? translate(schema, names, isAnswer) : { $ref: `#/components/schemas/${name}` };
}

/** Translates a schema that stands under `components` itself. */
export function translate(schema: TSchema, names: SchemaNames, isAnswer: boolean): JsonSchema {
  const {
    properties,
    additionalProperties,
    propertyNames,
    items,
    anyOf,
    oneOf,
    allOf,
    required,
    'x-document': said,
    ...rest
  } = schema;
  const sub = (child: TSchema) => openApiSchema(child, names, isAnswer);
  return {
    ...ownKeywords(rest, isAnswer),
    ...(properties ? { properties: translateProperties(properties, sub, isAnswer) } : {}),
    ...(additionalProperties === undefined ? {} : { additionalProperties: others(additionalProperties, sub) }),
    ...(propertyNames ? { propertyNames: sub(propertyNames) } : {}),
    ...(required ? { required: isAnswer ? required : withoutDefault(required, properties) } : {}),
    ...(items ? { items: sub(items) } : {}),
    ...Object.fromEntries(
      Object.entries({ anyOf, oneOf, allOf }).flatMap(([keyword, list]: [string, TSchema[] | undefined]) =>
        list ? [[keyword, list.map(sub)]] : [],
      ),
    ),
    ...(isAnswer ? {} : said),
  };
}

type Sub = (schema: TSchema) => JsonSchema;

function others(schema: TSchema | boolean, sub: Sub): JsonSchema | boolean {
  return typeof schema === 'boolean' ? schema : sub(schema);
}

/** Fields that are refused on write are simply not fields of the body. */
function translateProperties(properties: Record<string, TSchema>, sub: Sub, isAnswer: boolean) {
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([, property]) => isAnswer || !(property['x-readOnly'] || property['x-fixed']))
      .map(([name, property]) => [name, sub(property)]),
  );
}

/** What has a default need not be sent. */
function withoutDefault(required: readonly string[], properties: Record<string, TSchema>): string[] {
  return required.filter((name) => properties[name]?.default === undefined);
}

function ownKeywords(schema: Record<string, unknown>, isAnswer: boolean): JsonSchema {
  const plain = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keyword.startsWith('x-')));
  const { description, maxLength, ...others } = plain;
  if (schema['x-free'] && !isAnswer) return { ...free, ...plain };
  if (schema['x-date'] && isAnswer) return { ...others, format: 'date-time', ...described(description) };
  if (schema['x-date']) return { ...others, maxLength, ...datePattern, ...described(description, dateFormats) };
  if (schema['x-ref']) return { ...plain, ...described(description, `Id of a record of ${String(schema['x-ref'])}`) };
  if (schema['x-timezone'])
    return { examples: ['Europe/Paris'], ...plain, pattern: textPattern, ...described(description, 'IANA time zone') };
  return isFreeText(plain) && !isAnswer ? { ...plain, pattern: textPattern } : plain;
}

/** Tells whether a schema by itself lets any characters in, so that the document has to say which none takes. */
function isFreeText({ type, ...others }: Record<string, unknown>): boolean {
  return type === 'string' && !['pattern', 'enum', 'const', 'format'].some((keyword) => keyword in others);
}

/** What is answered may be more than what is taken: the service makes some of it. */
const free = { $ref: '#/components/schemas/FreeObject', examples: [{ colour: 'blue' }] };

function described(...parts: unknown[]): { description?: string } {
  const texts = [...new Set(parts.filter((part) => typeof part === 'string'))];
  return texts.length > 0 ? { description: texts.join('. ') } : {};
}
