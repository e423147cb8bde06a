import { invalidField, validationError } from '../common/errors';
import { fieldsOf } from '../query/fields';
import { queryFaults } from '../query/storedQuery';
import type { Segment } from '../records/catalog/segment';
import { memberResource } from '../records/members/member';

/**
 * Checks what the schema cannot say of a segment, as it will be stored: one by query has a query, and a
 * query is one that members can be asked, also while it is not used.
 * @throws ServiceError 1200
 */
export async function prepareSegment(body: Partial<Segment>, previous?: Segment): Promise<Partial<Segment>> {
  const { kind, query } = { ...previous, ...body };
  if (query === undefined) {
    if (kind === 'query') throw invalidField('query', 'required', 'is required of a segment by query');
    return body;
  }
  const faults = queryFaults(query, fieldsOf(memberResource), 'query');
  if (faults.length > 0) throw validationError(faults);
  return body;
}
