import type { TSchema } from '@sinclair/typebox';
import type { Route } from '../route';
import type { SchemaNames } from './openApiSchema';
import recorded from './recordedAnswers.json';

const records: Record<string, unknown> = recorded.records;
const answers: Record<string, unknown> = recorded.answers;

/**
 * An example from a service with example records, which `npm run record` recorded: the answer of this route, or a
 * record of the resource that it answers. Undefined when there is none.
 */
export function recordedAnswer(
  { method, path }: Pick<Route, 'method' | 'path'>,
  status: number,
  schema: TSchema,
  names: SchemaNames,
): unknown {
  const own = answers[`${method} ${path} ${status}`];
  if (own !== undefined) return own;
  const isList = schema.type === 'array';
  const record = records[names.get(isList ? schema.items : schema) ?? ''];
  return isList && record !== undefined ? [record] : record;
}
