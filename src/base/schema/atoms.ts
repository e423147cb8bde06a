import { type Static, type TObject, type TProperties, type TSchema, type TUnsafe, Type } from '@sinclair/typebox';
import type { ObjectId } from 'bson';
import type { FieldError } from '#base/common/errors';
import { type Message, message } from '#base/common/messages/message';
import { freeValuesMax } from './freeObject';

type Options = Record<string, unknown>;

/** The largest integer that is exact in JSON and JavaScript (2^53 - 1); points are never larger. */
export const integerMax = Number.MAX_SAFE_INTEGER;

/** An object that refuses fields it does not name. */
export function record<P extends TProperties>(properties: P, options: Options = {}): TObject<P> {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

/** A record id: 24 hexadecimal characters on the wire, an ObjectId in memory. `ref` names the referenced resource. */
export function objectId(ref?: string, options: Options = {}): TUnsafe<ObjectId> {
  return Type.Unsafe<ObjectId>({
    type: 'string',
    pattern: '^[0-9a-fA-F]{24}$',
    'x-objectId': true,
    ...(ref === undefined ? {} : { 'x-ref': ref }),
    ...options,
  });
}

/** A point in time: on the wire in any format of SPEC "Accepted date formats", in memory a Date, stored in UTC. */
export function instant(options: Options = {}): TUnsafe<Date> {
  return Type.Unsafe<Date>({ type: 'string', maxLength: 40, 'x-date': true, ...options });
}

/**
 * A point in time, or a plain day (YYYY-MM-DD). The parser leaves a plain day as sent: the caller, who knows the time
 * zone and which end of the day counts, converts it.
 */
export function instantOrDay(options: Options = {}): TUnsafe<Date> {
  return instant({ 'x-date': 'orDay', ...options });
}

/** A string of 1 to `max` characters. */
export function text(max = 255, options: Options = {}) {
  return Type.String({ minLength: 1, maxLength: max, ...options });
}

/** A string of 1 to `max` characters by which machines find something: a card number, a code, a SKU. */
export function identifier(max = 255, options: Options = {}) {
  return text(max, { 'x-findable': 'identifier', ...options });
}

/** A name of 1 to `max` characters by which something is found, and which people read: of a purse, a level, a list. */
export function findableName(max = 255, options: Options = {}) {
  return text(max, { 'x-findable': 'name', ...options });
}

/** A whole number of points or minor units, 0 to 2^53 - 1. */
export function count(options: Options = {}) {
  return Type.Integer({ minimum: 0, maximum: integerMax, ...options });
}

/** A whole number, -(2^53 - 1) to 2^53 - 1. */
export function signed(options: Options = {}) {
  return Type.Integer({ minimum: -integerMax, maximum: integerMax, ...options });
}

/** A finite number that may have fractions, -(2^53 - 1) to 2^53 - 1. */
export function decimal(options: Options = {}) {
  return Type.Number({ minimum: -integerMax, maximum: integerMax, ...options });
}

/** The same schema with a name, under which the OpenAPI document has it once. Only for answers. */
export function named<S extends TSchema>(name: string, schema: S): S {
  return { ...schema, 'x-name': name };
}

/** An object with free field names of at most `nameMax` characters, and values of one schema. */
export function byName<S extends TSchema>(values: S, nameMax: number, options: Options = {}) {
  return Type.Unsafe<Record<string, Static<S>>>({
    type: 'object',
    propertyNames: { type: 'string', maxLength: nameMax },
    additionalProperties: values,
    ...options,
  });
}

/** One of the given words. */
export function oneOf<const W extends readonly string[]>(words: W, options: Options = {}): TUnsafe<W[number]> {
  return Type.Unsafe<W[number]>({ type: 'string', enum: [...words], ...options });
}

/** A list of at most `max` elements. */
export function list<S extends TSchema>(items: S, max = 1000, options: Options = {}) {
  return Type.Array(items, { maxItems: max, ...options });
}

/** A JSON object of any shape; keys with `$`, dots or `__proto__` and more than 32 levels are refused. */
export function freeObject(options: Options = {}): TUnsafe<Record<string, unknown>> {
  return Type.Unsafe<Record<string, unknown>>({ type: 'object', 'x-free': true, ...options });
}

/** Free fields of a record: a {@link freeObject} of at most {@link freeValuesMax} values. */
export function freeFields(options: Options = {}): TUnsafe<Record<string, unknown>> {
  return freeObject({ 'x-valuesMax': freeValuesMax, ...options });
}

/** Any JSON value, for computed fields; never used in request bodies. */
export function anyValue(options: Options = {}): TUnsafe<unknown> {
  return Type.Unsafe<unknown>({ ...options });
}

/** A field that is refused with kind `readOnly` when a client sends it. */
export function readOnlyField() {
  return Type.Optional(Type.Unsafe<never>({ 'x-readOnly': true }));
}

/** A field that can only be set at creation: it is refused with kind `readOnly` in updates. */
export function fixedField() {
  return Type.Optional(Type.Unsafe<never>({ 'x-fixed': true }));
}

/** A computed field inside a nested object: present in responses, refused with kind `readOnly` in requests. */
export function computedField(options: Options = {}) {
  return Type.Optional(Type.Unsafe<unknown>({ ...options, 'x-readOnly': true }));
}

/**
 * The JSON Schema of objects in which these fields have a value, for the OpenAPI document: null is no value.
 * @param others the schemas of further fields
 */
export function withValues(names: readonly string[], others: Record<string, object> = {}) {
  const present = Object.fromEntries(names.map((name) => [name, { not: { type: 'null' } }]));
  return { required: names, properties: { ...present, ...others } };
}

/** The sub-document of extension fields (SPEC "Extension fields"). */
export const ext = () => Type.Optional(freeFields({ description: 'Extension fields', 'x-help': '' }));

/** When something is valid: from `from` (inclusive) until `to` (exclusive). Both are optional. */
export const effectiveShape = record({ from: Type.Optional(instant()), to: Type.Optional(instant()) });

type Effective = Static<typeof effectiveShape>;

/**
 * Checks what the schema of {@link effectiveShape} cannot express: `from` is before `to`. Paths are below `effective`.
 */
export function effectiveFaults({ from, to }: Effective = {}): FieldError[] {
  if (!from || !to || from < to) return [];
  return [{ path: 'effective.to', kind: 'date', ...message('schema.effectiveToBeforeFrom') }];
}

/** Why something is not valid at a date; undefined when it is valid. */
export function effectiveFault({ from, to }: Effective = {}, date: Date): Message | undefined {
  if (from && date < from) return message('schema.validFrom', { from: from.toISOString() });
  if (to && date >= to) return message('schema.validBefore', { to: to.toISOString() });
  return undefined;
}
