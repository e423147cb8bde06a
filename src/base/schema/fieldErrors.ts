import type { ErrorObject } from 'ajv/dist/2020';
import { type FieldError, fieldErrorsMax } from '#base/common/errors';
import { filledMessage, type Message, message } from '#base/common/messages/message';
import type { MessageId } from '#base/common/messages/messages';
import { freeValuesMax } from './freeObject';
import { dayPattern } from './instant';
import { shownName } from './textFaults';

/** The kinds of faults of own keywords; a keyword of JSON Schema is its own kind. */
const kinds: Record<string, string> = {
  'x-date': 'date',
  'x-free': 'additionalProperties',
  'x-valuesMax': 'maxProperties',
  'x-readOnly': 'readOnly',
  'x-fixed': 'readOnly',
  'x-timezone': 'format',
  'x-currency': 'currency',
  'x-findable': 'identifier',
};

const ownFaults: Record<string, Message> = {
  'x-date': message('schema.acceptedDate'),
  'x-free': message('schema.refusedKeys'),
  'x-valuesMax': message('schema.tooManyValues', { max: freeValuesMax }),
  'x-timezone': message('schema.timezone'),
  'x-fixed': message('schema.fixed'),
  'x-readOnly': message('schema.readOnly'),
};

/** Keywords whose errors only summarize other errors; ajv reports those other errors first. */
const summaries = ['anyOf', 'oneOf', 'if', 'propertyNames'];

/**
 * Translates ajv's errors to faults of fields: dotted paths, a path of its own for a missing or unknown field, and our own
 * messages. At most `fieldErrorsMax`.
 */
export function fieldErrors(errors: ErrorObject[]): FieldError[] {
  const seen = new Map<string, FieldError>();
  for (const error of errors) {
    if (summaries.includes(error.keyword) && seen.size > 0) continue;
    const field = toFieldError(error);
    seen.set(`${field.path}\n${field.kind}\n${field.message}`, field);
    if (seen.size >= fieldErrorsMax) break;
  }
  return [...seen.values()];
}

function toFieldError(error: ErrorObject): FieldError {
  const own = error.params.missingProperty ?? error.params.additionalProperty ?? error.params.unevaluatedProperty;
  const segments = error.instancePath.split('/').slice(1).map(unescapePointer);
  if (own !== undefined) segments.push(String(own));
  // What a name must look like is said of the name itself.
  const isNamed = error.propertyName !== undefined && error.keyword === 'pattern';
  if (isNamed) segments.push(String(error.propertyName));
  const fault = faultOf(error);
  return {
    ...(error.propertyName === undefined || isNamed ? fault : message('schema.fieldName', { fault })),
    kind: kinds[error.keyword] ?? error.keyword,
    path: segments.map(shownName).join('.'),
  };
}

/** Patterns that say nothing to people, in words. */
const patternFaults: Readonly<Record<string, Message>> = {
  [dayPattern]: message('schema.day'),
  '^[0-9a-fA-F]{24}$': message('schema.hexId'),
};

/** The keywords of ajv with messages of our own: the same words, with ajv's parameters. */
const ajvMessages: Readonly<Record<string, MessageId>> = {
  additionalProperties: 'schema.additionalProperties',
  anyOf: 'schema.anyOf',
  const: 'schema.const',
  exclusiveMaximum: 'schema.exclusiveMaximum',
  exclusiveMinimum: 'schema.exclusiveMinimum',
  format: 'schema.format',
  if: 'schema.if',
  maximum: 'schema.maximum',
  maxItems: 'schema.maxItems',
  maxLength: 'schema.maxLength',
  maxProperties: 'schema.maxProperties',
  minimum: 'schema.minimum',
  minItems: 'schema.minItems',
  minLength: 'schema.minLength',
  minProperties: 'schema.minProperties',
  multipleOf: 'schema.multipleOf',
  not: 'schema.not',
  oneOf: 'schema.oneOf',
  pattern: 'schema.pattern',
  required: 'schema.required',
  type: 'schema.type',
  uniqueItems: 'schema.uniqueItems',
};

function faultOf({ keyword, params, message: text }: ErrorObject): Message {
  if (params.fault !== undefined) return params.fault;
  if (keyword === 'enum') return message('schema.enum', { values: params.allowedValues.join(', ') });
  const messageId = ajvMessages[keyword];
  const own = ownFaults[keyword] ?? (keyword === 'pattern' ? patternFaults[params.pattern] : undefined);
  if (own) return own;
  if (messageId === undefined) return text === undefined ? message('schema.invalid') : { message: text };
  const values = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'number' ? value : String(value),
  ]);
  return filledMessage(messageId, Object.fromEntries(values));
}

function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}
