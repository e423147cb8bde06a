import type { FormTexts } from '../../i18n/formTexts';
import type { ApiDocument, JsonSchema } from './document';

/** What a field of a record is, for inputs and columns. */
export type Shape =
  | { kind: 'text'; isLong: boolean; isSecret: boolean; lengthMax: number | undefined }
  | { kind: 'number'; isInteger: boolean; min: number | undefined; max: number | undefined }
  | { kind: 'boolean' | 'moment' | 'day' | 'free' }
  | { kind: 'choice'; choices: readonly string[] }
  | { kind: 'reference'; to: string }
  | { kind: 'object'; fields: readonly Field[] }
  | { kind: 'list'; element: Shape; itemsMax: number | undefined };

/** A field of a record or of an object in it. */
export interface Field {
  name: string;
  /** Where it is in its record, such as `PursePolicy.expiry.unit`. */
  path: string;
  shape: Shape;
  isRequired: boolean;
  description: string | undefined;
  /** What its definition says for forms, by language. */
  texts: FormTexts | undefined;
  initial: unknown;
}

const json = 'application/json';

/** The fields of a body that creates a record of a collection. */
export function createFields(document: ApiDocument, name: string): readonly Field[] {
  return fieldsOf(document, name, document.paths[`/api/v1/${name}`]?.post?.requestBody?.content[json]?.schema);
}

/** The fields of a body that changes a record of a collection. */
export function updateFields(document: ApiDocument, name: string): readonly Field[] {
  return fieldsOf(document, name, document.paths[`/api/v1/${name}/{id}`]?.patch?.requestBody?.content[json]?.schema);
}

/** The fields that a record of a collection shows. A `fault` is none: it translates the text that stands beside it. */
export function shownFields(document: ApiDocument, name: string): readonly Field[] {
  return fieldsOf(document, name, elementOf(document, `/api/v1/${name}`)).filter((field) => field.name !== 'fault');
}

/** The name of the record that a collection has, such as `PursePolicy`. */
export function recordNameOf(document: ApiDocument, name: string): string | undefined {
  return elementOf(document, `/api/v1/${name}`)?.$ref?.split('/').at(-1);
}

function fieldsOf(document: ApiDocument, name: string, schema: JsonSchema | undefined): readonly Field[] {
  if (!schema) return [];
  const shape = shapeOf(document, schema, recordNameOf(document, name) ?? name);
  return shape.kind === 'object' ? shape.fields : [];
}

function elementOf({ paths }: ApiDocument, path: string): JsonSchema | undefined {
  return paths[path]?.get?.responses['200']?.content?.[json]?.schema.items;
}

/** @param path where the value is in its record */
function shapeOf(document: ApiDocument, ownSchema: JsonSchema, path: string): Shape {
  const schema = withoutNull(document, ownSchema);
  const { properties, items } = schema;
  if (schema.enum) return { kind: 'choice', choices: schema.enum.filter((each) => each !== null) };
  if (items) return { kind: 'list', element: shapeOf(document, items, path), itemsMax: schema.maxItems };
  if (properties)
    return { kind: 'object', fields: Object.entries(properties).map((each) => field(document, schema, path, each)) };
  if (isOf(schema, 'boolean')) return { kind: 'boolean' };
  const isInteger = isOf(schema, 'integer');
  if (isInteger || isOf(schema, 'number')) {
    return { kind: 'number', isInteger, min: schema.minimum, max: schema.maximum };
  }
  if (!isOf(schema, 'string')) return { kind: 'free' };
  const to = collectionOf(document, schema['x-ref']);
  if (to !== undefined) return { kind: 'reference', to };
  if (schema.format === 'date-time' || schema['x-date']) return { kind: 'moment' };
  if (schema.format === 'date') return { kind: 'day' };
  const { maxLength, writeOnly = false } = schema;
  return { kind: 'text', isLong: (maxLength ?? 0) > 500, isSecret: writeOnly, lengthMax: maxLength };
}

function field(
  document: ApiDocument,
  { required = [] }: JsonSchema,
  above: string,
  [name, schema]: [string, JsonSchema],
): Field {
  const whole = withoutNull(document, schema);
  const path = `${above}.${name}`;
  const shape = shapeOf(document, schema, path);
  const isRequired = required.includes(name);
  return { name, path, shape, isRequired, description: helpOf(whole), texts: whole['x-form'], initial: whole.default };
}

/** What a form says of a field. */
function helpOf({ description, 'x-help': help = description }: JsonSchema): string | undefined {
  return help?.replaceAll('`', '') || undefined;
}

/** The path of the collection of a record. */
function collectionOf(document: ApiDocument, record: string | undefined): string | undefined {
  return record === undefined ? undefined : collections(document).get(record);
}

const known = new WeakMap<ApiDocument, Map<string, string>>();

/** The path of the collection of each named record. */
function collections(document: ApiDocument): Map<string, string> {
  const made = known.get(document) ?? new Map<string, string>();
  if (made.size > 0) return made;
  for (const path of Object.keys(document.paths)) {
    const [, name] = /^\/api\/v1\/(\w+)$/.exec(path) ?? [];
    const record = elementOf(document, path)?.$ref?.split('/').at(-1);
    if (name !== undefined && record !== undefined && !made.has(record)) made.set(record, name);
  }
  known.set(document, made);
  return made;
}

/** The schema without the null by which clients clear a field. */
function withoutNull(document: ApiDocument, schema: JsonSchema): JsonSchema {
  if (schema.$ref !== undefined) {
    const named = document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {};
    const { description, 'x-form': texts } = schema;
    return withoutNull(document, {
      ...named,
      ...(description ? { description } : {}),
      ...(texts ? { 'x-form': texts } : {}),
    });
  }
  const { anyOf, ...rest } = schema;
  const [first, ...others] = (anyOf ?? []).filter(({ type }) => type !== 'null');
  return first && others.length === 0 ? { ...withoutNull(document, first), ...rest } : schema;
}

function isOf({ type = [] }: JsonSchema, wanted: string): boolean {
  return type === wanted || type.includes(wanted);
}
