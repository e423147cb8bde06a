import { invalidField, validationError } from '../errors';
import { memberResource } from '../members/member';
import { fieldsOf } from '../query/fields';
import { queryFaults } from '../query/storedQuery';
import type { Segment } from './segment';

/**
 * Checks what the schema cannot say of a segment, as it will be stored: one by query has a query that members can be
 * asked.
 * @throws ServiceError 1200
 */
export async function prepareSegment(body: Partial<Segment>, previous?: Segment): Promise<Partial<Segment>> {
  const { kind, query } = { ...previous, ...body };
  if (kind !== 'query') return body;
  if (query === undefined) throw invalidField('query', 'required', 'is required of a segment by query');
  const faults = queryFaults(query, fieldsOf(memberResource), 'query');
  if (faults.length > 0) throw validationError(faults);
  return body;
}
