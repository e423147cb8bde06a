import type { Static, TSchema } from '@sinclair/typebox';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import type { AnySchemaObject, DataValidationCxt } from 'ajv/dist/types';
import addFormats from 'ajv-formats';
import { ObjectId } from 'bson';
import { timezoneNamed } from '#base/calendar/timezones';
import { isDayText } from '#base/calendar/windows';
import { type FieldError, ServiceError, validationError } from '#base/common/errors';
import { type Message, message } from '#base/common/messages/message';
import { currencyFault } from './currencies';
import { fieldErrors } from './fieldErrors';
import { comparable, type Findable, findableFault } from './findable';
import { freeObjectFault, hasAtMost } from './freeObject';
import { parseInstant } from './instant';
import { hasControlCharacters, textFaults } from './textFaults';

const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, useDefaults: true, verbose: false });
addFormats.default(ajv, ['email', 'date', 'uri']);
ajv.addVocabulary([
  'x-required',
  'x-default',
  'x-objectId',
  'x-ref',
  'x-ref-any',
  'x-document',
  'x-name',
  'x-kind',
  'x-def',
  'x-day',
  'x-help',
  'x-form',
  'example',
]);
ajv.addKeyword({
  keyword: 'x-date',
  type: 'string',
  // Dates that accept a plain day have the value `orDay`.
  validate: (on: unknown, v: string) => !on || !!parseInstant(v) || (on === 'orDay' && isDayText(v)),
});
ajv.addKeyword({
  keyword: 'x-free',
  type: 'object',
  validate: (on: boolean, v: object) => !on || freeObjectFault(v) === undefined,
});
ajv.addKeyword({ keyword: 'x-valuesMax', type: 'object', validate: hasAtMost });
ajv.addKeyword({ keyword: 'x-timezone', type: 'string', modifying: true, validate: storeZone });
ajv.addKeyword({ keyword: 'x-currency', type: 'string', errors: true, validate: validateCurrency });
ajv.addKeyword({ keyword: 'x-findable', type: 'string', modifying: true, errors: true, validate: validateFindable });
ajv.addKeyword({ keyword: 'x-readOnly', validate: (on: boolean) => !on });
ajv.addKeyword({ keyword: 'x-fixed', validate: (on: boolean) => !on });

/** Options of a parser. Local dates without an offset are read with `localOffsetMinutes` (default 0: UTC). */
export interface ParseOptions {
  localOffsetMinutes?: number;
}

/** Checks a JSON value against a schema, fills in defaults, and returns it with Dates and ObjectIds. */
export type Parse<T> = (value: unknown, options?: ParseOptions) => T;

/**
 * Makes the parser of a schema (wire to domain values).
 * @throws ServiceError 1200 naming every failing field (at most 100)
 */
export function compileParse<S extends TSchema>(schema: S): Parse<Static<S>> {
  const faultsOf = compileCheck(schema);
  let convert: Convert | undefined;
  return (value, options = {}) => {
    const faults = faultsOf(value);
    if (faults.length > 0) throw validationError(faults);
    convert ??= makeConverter(schema);
    return convert(value, options.localOffsetMinutes ?? 0) as Static<S>;
  };
}

/**
 * Makes the check of a schema, which returns the failing fields of a JSON value. The schema is compiled at the first
 * use: to compile all at the start would take a second of processor time, and a process uses few of them.
 */
export function compileCheck(schema: TSchema): (value: unknown) => FieldError[] {
  let check: ValidateFunction | undefined;
  return (value) => {
    check ??= ajv.compile(schema);
    return [...(check(value) ? [] : fieldErrors(check.errors ?? [])), ...textFaults(value)];
  };
}

/** Converts a findable string to its stored form, and reports its fault. */
function validateFindable(kind: Findable, text: string, schema?: AnySchemaObject, place?: DataValidationCxt): boolean {
  const stored = comparable(text);
  if (stored !== text && typeof place?.parentData === 'object')
    Reflect.set(place.parentData, place.parentDataProperty, stored);
  const found: Message | undefined =
    findableFault(stored, kind) ?? (stored === text ? undefined : lengthFault(stored, schema));
  // Control characters are reported once, as in every string.
  const fault = found !== undefined && hasControlCharacters(text) ? undefined : found;
  validateFindable.errors = fault === undefined ? [] : [{ keyword: 'x-findable', params: { fault } }];
  return fault === undefined;
}

/** The errors of the last call, as ajv reads them. */
validateFindable.errors = [] as Partial<ErrorObject>[];

/** A few letters are longer in their stored form. */
function lengthFault(text: string, { maxLength }: AnySchemaObject = {}): Message | undefined {
  const isLong = typeof maxLength === 'number' && text.length > maxLength && [...text].length > maxLength;
  return isLong ? message('schema.maxLength', { limit: maxLength }) : undefined;
}

/** Says what is wrong with the code of a currency. */
function validateCurrency(_on: boolean, code: string): boolean {
  const fault = currencyFault(code);
  validateCurrency.errors = fault === undefined ? [] : [{ keyword: 'x-currency', params: { fault } }];
  return fault === undefined;
}

/** The errors of the last call, as ajv reads them. */
validateCurrency.errors = [] as Partial<ErrorObject>[];

/** Converts a time zone to its stored spelling, and tells whether it is one. */
function storeZone(on: boolean, name: string, _schema?: AnySchemaObject, place?: DataValidationCxt): boolean {
  const stored = on ? timezoneNamed(name) : name;
  if (stored !== undefined && stored !== name && typeof place?.parentData === 'object')
    Reflect.set(place.parentData, place.parentDataProperty, stored);
  return stored !== undefined;
}

/** The result of parsing: the value, or every failing field. */
type Parsed<T> = { value: T } | { faults: readonly FieldError[] };

/** Runs a parser and returns its faults, for callers that report further faults together with them. */
export function parseOrFaults<T>(parse: () => T): Parsed<T> {
  try {
    return { value: parse() };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { faults: error.details.errors ?? [] };
  }
}

type Convert = (value: unknown, localOffsetMinutes: number) => unknown;

const unchanged: Convert = (value) => value;

/** Builds the conversion of a value that already fits the schema: date strings to Date, id strings to ObjectId. */
export function makeConverter(schema: TSchema): Convert {
  return leafConverter(schema) ?? unchanged;
}

function leafConverter(schema: TSchema): Convert | undefined {
  if (schema['x-objectId']) return (value) => (typeof value === 'string' ? new ObjectId(value) : value);
  if (schema['x-date']) return (value, offset) => (typeof value === 'string' ? parseInstant(value, offset) : value);
  if (schema.type === 'array' && schema.items) return listConverter(schema.items as TSchema);
  if (schema.type === 'object' && schema.properties) return objectConverter(schema.properties);
  return undefined;
}

function listConverter(items: TSchema): Convert | undefined {
  const convert = leafConverter(items);
  return convert && ((value, offset) => (Array.isArray(value) ? value.map((each) => convert(each, offset)) : value));
}

function objectConverter(properties: Record<string, TSchema>): Convert | undefined {
  const converters = Object.entries(properties).flatMap(([key, schema]) => {
    const convert = leafConverter(schema);
    return convert ? [{ key, convert }] : [];
  });
  if (converters.length === 0) return undefined;
  return (value, offset) => {
    const result: Record<string, unknown> = { ...(value as object) };
    for (const { key, convert } of converters) {
      if (Object.hasOwn(result, key)) result[key] = convert(result[key], offset);
    }
    return result;
  };
}
