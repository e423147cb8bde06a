import { ObjectId } from 'bson';
import { malformed } from '#base/common/errors';
import { type Message, message } from '#base/common/messages/message';
import { integerMax } from '#base/schema/atoms';
import { freeObjectFault } from '#base/schema/freeObject';
import { parseInstant } from '#base/schema/instant';
import { aDate } from './dateArgument';
import type { Field, FieldKind } from './fields';

/**
 * Converts a value in the arguments of a read to the type of the field that it is compared with. null stays null.
 * @param where names the argument and path in messages
 * @throws ServiceError 1210 when the value does not fit the field
 */
export function castValue(field: Field, value: unknown, where: string): unknown {
  if (value === null) return null;
  const cast = casts[field.kind](value);
  if (cast === undefined) throw malformed(message('query.valueType', { where, expected: expected[field.kind] }));
  return cast;
}

const casts: Record<FieldKind, (value: unknown) => unknown> = {
  objectId: (value) => (typeof value === 'string' && /^[0-9a-f]{24}$/i.test(value) ? new ObjectId(value) : undefined),
  date: (value) => (typeof value === 'string' ? parseInstant(value) : undefined),
  dateText: (value) => (typeof value === 'string' ? parseInstant(value)?.toISOString() : undefined),
  number: castNumber,
  boolean: castBoolean,
  string: (value) => (typeof value === 'string' ? value : undefined),
  object: () => undefined,
  free: castFree,
};

const expected: Record<FieldKind, Message> = {
  objectId: message('query.anId'),
  date: aDate,
  dateText: aDate,
  number: message('query.aNumber'),
  boolean: message('words.trueOrFalse'),
  string: message('query.aString'),
  object: message('query.nullOrField'),
  free: message('query.aJsonValue'),
};

/**
 * Converts a JSON number, or a string with a number, to a number within 2^53 - 1; undefined when the value is neither.
 */
export function castNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && isNumeral(value) ? Number(value) : value;
  return typeof number === 'number' && Math.abs(number) <= integerMax ? number : undefined;
}

/** Accepts digits with an optional sign and decimal point; no exponent, no blank, no hexadecimal. */
function isNumeral(text: string): boolean {
  return (
    text.length <= numeralMaxLength && /^-?\d[\d.]*$/.test(text) && !text.endsWith('.') && !Number.isNaN(Number(text))
  );
}

const numeralMaxLength = 40;

/** Converts a JSON boolean, or the string `true` or `false`, to a boolean; undefined when the value is neither. */
export function castBoolean(value: unknown): boolean | undefined {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : undefined;
}

function castFree(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'object' || value === null) return value;
  return freeObjectFault(value) === undefined ? value : undefined;
}
