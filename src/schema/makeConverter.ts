import type { TSchema } from '@sinclair/typebox';
import { ObjectId } from 'bson';
import { parseInstant } from './instant';

type Convert = (value: unknown, localOffsetMinutes: number) => unknown;

const unchanged: Convert = (value) => value;

/** Builds the conversion of a value that already fits the schema: date strings to Date, id strings to ObjectId. */
export function makeConverter(schema: TSchema): Convert {
  return converterOf(schema) ?? unchanged;
}

function converterOf(schema: TSchema): Convert | undefined {
  if (schema['x-objectId']) return (value) => (typeof value === 'string' ? new ObjectId(value) : value);
  if (schema['x-date']) return (value, offset) => (typeof value === 'string' ? parseInstant(value, offset) : value);
  if (schema.type === 'array' && schema.items) return listConverter(schema.items as TSchema);
  if (schema.type === 'object' && schema.properties) return objectConverter(schema.properties);
  return undefined;
}

function listConverter(items: TSchema): Convert | undefined {
  const convert = converterOf(items);
  return convert && ((value, offset) => (Array.isArray(value) ? value.map((each) => convert(each, offset)) : value));
}

function objectConverter(properties: Record<string, TSchema>): Convert | undefined {
  const converters = Object.entries(properties).flatMap(([key, schema]) => {
    const convert = converterOf(schema);
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
