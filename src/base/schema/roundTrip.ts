import { isDeepStrictEqual } from 'node:util';
import { type TSchema, Type } from '@sinclair/typebox';
import { isSameTimezone } from '#base/calendar/timezones';
import { isPlainObject } from '#base/common/plainObject';
import { comparable } from './findable';
import { parseInstant } from './instant';

/** The schema of a value in a body, and in an answer. */
export interface BothSchemas {
  body: TSchema;
  answer: TSchema;
}

const anything = Type.Unknown();

/**
 * Leaves out of a body the fields that a client may not write where they are as the client read them. What remains of
 * them differs, and the schema refuses it.
 * @param shown the answer to a read of the record, as JSON
 */
export function withoutReadOnly({ body, answer }: BothSchemas, sent: unknown, shown: unknown): unknown {
  if (Array.isArray(sent)) {
    const both = { body: body.items ?? anything, answer: answer.items ?? anything };
    return sent.map((each, index) => withoutReadOnly(both, each, Array.isArray(shown) ? shown[index] : undefined));
  }
  if (!isPlainObject(sent)) return sent;
  const was = isPlainObject(shown) ? shown : {};
  const left = Object.entries(sent).flatMap(([name, value]) => {
    const field = propertySchema(body, name);
    const answered = propertySchema(answer, name);
    if (!field || !answered) return [[name, value]];
    if (!isReadOnly(field)) return [[name, withoutReadOnly({ body: field, answer: answered }, value, was[name])]];
    return isSame(answered, value, was[name]) ? [] : [[name, value]];
  });
  return Object.fromEntries(left);
}

/** Tells whether a field of a body is one that clients may not write, or not any more. */
export function isReadOnly(field: TSchema): boolean {
  return Boolean(field['x-readOnly'] || field['x-fixed']);
}

/** The schema of a field of an object; undefined when the object does not have the field. */
export function propertySchema(
  { properties = {}, additionalProperties: others }: TSchema,
  name: string,
): TSchema | undefined {
  if (Object.hasOwn(properties, name)) return properties[name];
  return typeof others === 'object' ? others : undefined;
}

/**
 * Tells whether a JSON value means the same as another one that was answered: ids without regard to case, dates as
 * points in time, fields in any order, null as no value. In objects of free shape null is a value like any other.
 */
export function isSame(schema: TSchema, sent: unknown, shown: unknown): boolean {
  const [left, right] = [sent ?? undefined, shown ?? undefined];
  if (schema.anyOf) return schema.anyOf.some((each: TSchema) => isSame(each, left, right));
  if (typeof left === 'string' && typeof right === 'string') return isSameText(schema, left, right);
  if (schema.items && Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((each, index) => isSame(schema.items, each, right[index]));
  }
  const isKnown = schema.properties || typeof schema.additionalProperties === 'object';
  if (!isKnown || !isPlainObject(left) || !isPlainObject(right)) return isDeepStrictEqual(left, right);
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].every((name) => isSame(propertySchema(schema, name) ?? anything, left[name], right[name]));
}

function isSameText(schema: TSchema, left: string, right: string): boolean {
  if (schema['x-objectId']) return left.toLowerCase() === right.toLowerCase();
  if (schema['x-date']) return parseInstant(left)?.getTime() === parseInstant(right)?.getTime();
  if (schema['x-timezone']) return isSameTimezone(left, right);
  return left === right || (schema['x-findable'] && comparable(left) === comparable(right));
}
