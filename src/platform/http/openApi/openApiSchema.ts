import type { TSchema } from '@sinclair/typebox';
import { currencies } from '#base/schema/currencies';
import { findablePattern } from '#base/schema/findable';
import { instantPattern } from '#base/schema/instant';
import { textPattern, unfitInPatterns } from '#base/schema/textFaults';
import { nullable } from './nullable';

/** A JSON Schema in the OpenAPI document. */
export type JsonSchema = Record<string, unknown>;

/** The names of the schemas that are shared under `components`. Other schemas refer to them. */
export type SchemaNames = ReadonlyMap<TSchema, string>;

const dateFormats =
  'A date such as 2026-01-31T13:45:00.000Z, with offset +HH:MM or +HHMM, or local without one (`T` or a space between)';

const datePattern = { pattern: instantPattern, examples: ['2026-01-31T13:45:00.000Z'] };

/**
 * The allowed names of `ext` fields and of fields of other free objects. The names become parts of paths in queries.
 */
const freeNames = { pattern: `^(?!__proto__$|_bsontype$)[^$.${unfitInPatterns}][^.${unfitInPatterns}]*$` };

/**
 * The schema of objects of any shape (see `freeObject`). It is not recursive, because generators of clients drop what
 * refers to itself. So it limits only the outer names; the service checks the inner ones too.
 */
export const freeComponents: Record<string, JsonSchema> = {
  FreeObject: {
    type: 'object',
    description:
      'A JSON object of any shape, at most 32 levels deep. At no level may a name be empty, begin with $, have a dot or ' +
      'control characters, or be __proto__ or _bsontype',
    propertyNames: freeNames,
    additionalProperties: true,
  },
};

/**
 * Translates one of our schemas into plain JSON Schema 2020-12. Our own keywords become what they mean to a client.
 * @param isAnswer true for answers: they have dates in one format, while bodies may have several formats
 */
export function openApiSchema(schema: TSchema, names: SchemaNames, isAnswer: boolean): JsonSchema {
  const name = names.get(schema) ?? (isAnswer ? schema['x-name'] : undefined);
  return name === undefined ? translate(schema, names, isAnswer) : { $ref: `#/components/schemas/${name}` };
}

/** Translates a schema that is itself under `components`. */
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
    'x-document': documented,
    ...rest
  } = schema;
  const sub = (child: TSchema) => openApiSchema(child, names, isAnswer);
  const needed = isAnswer ? required : withoutDefault(required ?? [], properties);
  return {
    ...ownKeywords(rest, isAnswer),
    ...(properties ? { properties: translateProperties(properties, { sub, needed, isAnswer }) } : {}),
    ...(additionalProperties === undefined ? {} : { additionalProperties: others(additionalProperties, sub) }),
    ...(propertyNames ? { propertyNames: sub(propertyNames) } : {}),
    ...(required ? { required: needed } : {}),
    ...(items ? { items: sub(items) } : {}),
    ...Object.fromEntries(
      Object.entries({ anyOf, oneOf, allOf }).flatMap(([keyword, list]: [string, TSchema[] | undefined]) =>
        list ? [[keyword, list.map(sub)]] : [],
      ),
    ),
    ...(isAnswer ? {} : asRule(documented)),
  };
}

/**
 * Puts the alternatives of a rule into `allOf`. Directly beside the properties, generators of clients would take them
 * for the types of the object and leave out the properties.
 */
function asRule(schema: JsonSchema = {}): JsonSchema {
  return 'anyOf' in schema || 'oneOf' in schema ? { allOf: [schema] } : schema;
}

type Sub = (schema: TSchema) => JsonSchema;

function others(schema: TSchema | boolean, sub: Sub): JsonSchema | boolean {
  return typeof schema === 'boolean' ? schema : sub(schema);
}

interface PropertiesOptions {
  sub: Sub;
  needed: readonly string[];
  isAnswer: boolean;
}

/**
 * Translates the fields of a schema. Bodies leave out fields that clients may not write; their optional fields may be
 * null, which means not sent.
 */
function translateProperties(properties: Record<string, TSchema>, { sub, needed, isAnswer }: PropertiesOptions) {
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([, property]) => isAnswer || !(property['x-readOnly'] || property['x-fixed']))
      .map(([name, property]) => {
        const isNeeded = isAnswer || needed.includes(name) || property['x-required'];
        return [name, isNeeded ? sub(property) : nullable(sub(property))];
      }),
  );
}

/** Leaves out the fields that have a default, because clients need not send them. */
function withoutDefault(required: readonly string[], properties: Record<string, TSchema>): string[] {
  return required.filter((name) => properties[name]?.default === undefined);
}

/**
 * Keywords for forms: an English text in place of the description, and the texts of the definition in each language.
 */
const keptKeywords: ReadonlySet<string> = new Set(['x-help', 'x-form']);

function ownKeywords(schema: Record<string, unknown>, isAnswer: boolean): JsonSchema {
  const isPlain = ([keyword]: [string, unknown]) => !keyword.startsWith('x-') || keptKeywords.has(keyword);
  const plain = Object.fromEntries(Object.entries(schema).filter(isPlain));
  const { description, maxLength, ...others } = plain;
  if (schema['x-free']) return freeSchema(plain, isAnswer);
  const { 'x-ref': ref } = schema;
  if (schema['x-date'] && isAnswer) return { ...others, format: 'date-time', ...described(description) };
  if (schema['x-date']) {
    return { ...others, maxLength, ...datePattern, 'x-date': true, ...explained(description, dateFormats) };
  }
  if (ref) return { ...plain, 'x-ref': ref, ...explained(description, `Id of a record of ${String(ref)}`) };
  if (schema['x-currency'] && !isAnswer) return { ...others, enum: currencies, ...described(description) };
  if (schema['x-timezone'])
    return { examples: ['Europe/Paris'], ...plain, pattern: textPattern, ...explained(description, 'IANA time zone') };
  if (schema['x-findable'] && !isAnswer) return { ...plain, pattern: findablePattern };
  return isFreeText(plain) && !isAnswer ? { ...plain, pattern: textPattern } : plain;
}

/** Tells whether a schema accepts any characters. The document then has to exclude those that no string may have. */
function isFreeText({ type, ...others }: Record<string, unknown>): boolean {
  return type === 'string' && !['pattern', 'enum', 'const', 'format'].some((keyword) => keyword in others);
}

function freeSchema({ type: _type, ...plain }: JsonSchema, isAnswer: boolean): JsonSchema {
  return { $ref: '#/components/schemas/FreeObject', ...(isAnswer ? {} : { examples: [{ colour: 'blue' }] }), ...plain };
}

/** A description of the field and of the form of its value. `x-help` has only the field's own part, for forms. */
function explained(description: unknown, form: string): JsonSchema {
  return { ...described(description, form), 'x-help': description ?? '' };
}

function described(...parts: unknown[]): { description?: string } {
  const texts = [...new Set(parts.filter((part) => typeof part === 'string'))];
  return texts.length > 0 ? { description: texts.join('. ') } : {};
}
