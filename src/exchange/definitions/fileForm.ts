import type { TSchema } from '@sinclair/typebox';
import { ObjectId } from 'bson';
import type { FieldError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { isPlainObject } from '#base/common/plainObject';
import { joinPath } from '#base/schema/joinPath';
import type { Resource } from '#base/schema/resource';
import { definitionKeyText } from './definitionKeys';
import type { DefinitionNames } from './definitionNames';
import { definitionResources } from './definitionResources';

type Fields = Record<string, unknown>;

/** A definition as files have it: the fields that clients write, as JSON, with keys in place of ids. */
export function toFileForm(resource: Resource, record: Fields, names: DefinitionNames): Fields {
  return Object.fromEntries(
    portableFields(resource, record).map(([name, schema]) => [name, toFile(schema, record[name], names)]),
  );
}

/**
 * The same with ids in place of keys, as a POST takes it. What names no definition is a fault, and stays as it is.
 * @param faults gets a fault of kind `reference` for each name of nothing
 */
export function fromFileForm(resource: Resource, body: Fields, names: DefinitionNames, faults: FieldError[]): Fields {
  const fields = new Map(portableFields(resource, body));
  const unknown = Object.entries(body).filter(([name]) => !fields.has(name));
  const known = [...fields].map(([name, schema]) => {
    return [name, fromFile({ schema, model: body.model, names, faults }, body[name], name)] as const;
  });
  const dropped = isUnportable(resource, body) ? ['ids'] : [];
  return Object.fromEntries([...unknown.filter(([name]) => !dropped.includes(name)), ...known]);
}

function portableFields(resource: Resource, record: Fields): [string, TSchema][] {
  const { properties } = resource.shape;
  const own = Object.entries(properties).filter(([name]) => !resource.readOnly.includes(name));
  const there = own.filter(([name]) => record[name] !== undefined);
  return isUnportable(resource, record) ? there.filter(([name]) => name !== 'ids') : there;
}

/** Tells whether a list has records by id that are no definitions, such as members: another org has others. */
function isUnportable({ name }: Resource, { model }: Fields): boolean {
  return name === 'NamedList' && !definitionResources.some((each) => each.name === model);
}

/** Tells whether a schema is that of a stored query or of the criteria of a filter: an object, or its JSON text. */
function holdsIdsInTexts({ type }: TSchema): boolean {
  return Array.isArray(type) && type.includes('object') && type.includes('string');
}

const idInText = /\b[0-9a-f]{24}\b/gi;
const keyInText = /\bref\(([a-z]+\/[^()\s"\\]+)\)/g;

function toFile(schema: TSchema, value: unknown, names: DefinitionNames): unknown {
  if (value instanceof ObjectId) return names.keyOf(value.toHexString()) ?? value.toHexString();
  if (value instanceof Date) return value.toISOString();
  if (holdsIdsInTexts(schema)) {
    return inText(value, (text) => text.replace(idInText, (id) => withText(names.textOf(id)) ?? id));
  }
  if (Array.isArray(value)) return value.map((each) => toFile(schema.items ?? {}, each, names));
  if (!isPlainObject(value)) return value;
  return mapFields(schema, value, (child, each) => toFile(child, each, names));
}

function withText(text: string | undefined): string | undefined {
  return text && `ref(${text})`;
}

interface FromFile {
  schema: TSchema;
  /** What a list with references to any model lists. */
  model: unknown;
  names: DefinitionNames;
  faults: FieldError[];
}

function fromFile(from: FromFile, value: unknown, path: string): unknown {
  const { schema, names } = from;
  if (schema['x-objectId']) return resolveId(from, value, path);
  if (holdsIdsInTexts(schema)) return inText(value, (text) => text.replace(keyInText, (all, key) => idText(all, key)));
  if (Array.isArray(value)) {
    return value.map((each, index) =>
      fromFile({ ...from, schema: schema.items ?? {} }, each, joinPath(path, `${index}`)),
    );
  }
  if (!isPlainObject(value)) return value;
  return mapFields(schema, value, (child, each, name) =>
    fromFile({ ...from, schema: child }, each, joinPath(path, name)),
  );

  function idText(all: string, key: string): string {
    const id = names.idOf(key);
    if (!id) from.faults.push(missing(path, all));
    return id?.toHexString() ?? all;
  }
}

function resolveId({ schema, model, names, faults }: FromFile, value: unknown, path: string): unknown {
  const wanted: unknown = schema['x-ref'] ?? model;
  const target = definitionResources.find(({ name }) => name === wanted);
  const text = target && definitionKeyText(target, value);
  const id = text === undefined ? undefined : names.idOf(text);
  if (id) return id.toHexString();
  // The schema reports a value of another type.
  if (target && value !== null) faults.push(missing(path, `${target.name} ${JSON.stringify(value)}`));
  return value;
}

function missing(path: string, what: string): FieldError {
  return { path, kind: 'reference', ...message('definitions.namesUnknown', { what }) };
}

function mapFields(schema: TSchema, value: Fields, each: (child: TSchema, value: unknown, name: string) => unknown) {
  const { properties = {}, additionalProperties } = schema;
  const schemaOf = (name: string): TSchema => {
    if (Object.hasOwn(properties, name)) return properties[name];
    return isPlainObject(additionalProperties) ? (additionalProperties as unknown as TSchema) : ({} as TSchema);
  };
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(fields.map(([name, field]) => [name, each(schemaOf(name), field, name)]));
}

/** Replaces in the JSON text of a value. */
function inText(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  return value === undefined ? undefined : JSON.parse(replace(JSON.stringify(value)));
}
