import type { FieldError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { parseInstant } from '#base/schema/instant';
import type { ParseOptions } from '#base/schema/parse';
import type { ExtField } from './extField';

type Fault = Pick<FieldError, 'kind' | 'message'>;

/** The value in its stored form, or its fault with the kind that ajv uses. */
export type CheckedValue = { value: unknown } | Fault;

/** Checks the value of an extension field against its definition. A date becomes UTC text with milliseconds. */
export function checkExtValue(field: ExtField, value: unknown, options: ParseOptions): CheckedValue {
  return checks[field.type](field, value, options);
}

type Check = (field: ExtField, value: unknown, options: ParseOptions) => CheckedValue;

const checks: Record<ExtField['type'], Check> = {
  string: checkString,
  integer: (field, value) => (Number.isSafeInteger(value) ? checkNumber(field, value) : wrongType('integer')),
  number: checkNumber,
  boolean: (_field, value) => (typeof value === 'boolean' ? { value } : wrongType('boolean')),
  date: checkDate,
  enum: checkEnum,
};

function checkString({ pattern, min = 0, max }: ExtField, value: unknown): CheckedValue {
  if (typeof value !== 'string') return wrongType('string');
  // Counts characters instead of UTF-16 units, as ajv does.
  const { length } = [...value];
  if (length < min) return { kind: 'minLength', ...message('schema.minLength', { limit: min }) };
  if (max !== undefined && length > max) {
    return { kind: 'maxLength', ...message('schema.maxLength', { limit: max }) };
  }
  if (pattern && !pattern.matcher(value).find()) {
    return { kind: 'pattern', ...message('schema.pattern', { pattern: pattern.pattern() }) };
  }
  return { value };
}

function checkNumber({ min, max }: ExtField, value: unknown): CheckedValue {
  if (typeof value !== 'number') return wrongType('number');
  if (min !== undefined && value < min) return { kind: 'minimum', ...message('schema.minimum', { limit: min }) };
  if (max !== undefined && value > max) return { kind: 'maximum', ...message('schema.maximum', { limit: max }) };
  return { value };
}

function checkDate(_field: ExtField, value: unknown, { localOffsetMinutes = 0 }: ParseOptions): CheckedValue {
  if (typeof value !== 'string') return wrongType('string');
  const instant = parseInstant(value, localOffsetMinutes);
  if (!instant) return { kind: 'date', ...message('schema.date') };
  return { value: instant.toISOString() };
}

function checkEnum({ values }: ExtField, value: unknown): CheckedValue {
  if (typeof value !== 'string') return wrongType('string');
  if (values.has(value)) return { value };
  return { kind: 'enum', ...message('extensions.notInEnum') };
}

function wrongType(type: string): Fault {
  return { kind: 'type', ...message('schema.type', { type }) };
}
