import { Type } from '@sinclair/typebox';
import { type FieldError, ServiceError } from '#base/common/errors';
import { pickMessage } from '#base/common/messages/message';
import { withValues } from '#base/schema/atoms';
import { textPattern } from '#base/schema/textFaults';
import type { FieldTable } from './fields';
import type { Filter } from './filter';
import { parseFilter } from './parseFilter';
import { queryLimits } from './queryLimits';

/** A filter that a record stores: a JSON object, or its text. */
export type StoredQuery = string | Record<string, unknown>;

/** The shape of {@link StoredQuery}. {@link queryFaults} checks its content. */
export const storedQuery = Type.Unsafe<StoredQuery>({
  type: ['object', 'string'],
  maxLength: queryLimits.argumentMaxBytes,
  description: 'A filter as in the argument query of reads, not empty: a JSON object, or its text',
  examples: [{ status: 'Active' }],
  'x-document': { minProperties: 1, minLength: 2, pattern: textPattern, propertyNames: { pattern: textPattern } },
});

/** The JSON Schema of what a definition of the kind `query` requires; for documentation only. */
export function neededByQuery(...fields: string[]): Record<string, unknown> {
  return { anyOf: [{ properties: { kind: { enum: ['static', null] } } }, withValues(fields)] };
}

/**
 * Parses a stored filter like the argument `query` of a read, with the same limits. A filter that was stored when the
 * limits were wider is refused if it exceeds them. Texts that begin like a shorthand are compared as they are, because
 * they were once accepted.
 * @param name the record that stores the filter, for messages; the client that gets the message may not know the record
 * @throws ServiceError 1210
 */
export function parseStoredQuery(query: StoredQuery, fields: FieldTable, name = 'query'): Filter {
  return parseFilter(queryText(query), fields, { name, isRequired: true, allowsShorthandTexts: true });
}

/** Finds the faults of a filter that is to be stored at `path`. */
export function queryFaults(query: StoredQuery, fields: FieldTable, path: string): FieldError[] {
  try {
    parseFilter(queryText(query), fields, { isRequired: true });
    return [];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return [{ path, kind: 'format', ...pickMessage(error) }];
  }
}

function queryText(query: StoredQuery): string {
  return typeof query === 'string' ? query : JSON.stringify(query);
}
