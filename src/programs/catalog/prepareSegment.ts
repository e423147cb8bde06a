import { invalidField, validationError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { fieldsOf } from '#base/query/fields';
import { queryFaults } from '#base/query/storedQuery';
import type { OrgContext } from '#platform/recordWrites/writeContext';
import type { Segment } from '#records/catalog/segment';
import { memberResource } from '#records/members/member';
import { missingInQuery } from './names/missingNames';

/**
 * Checks rules of a segment that the schema cannot express. The body is checked as it will be stored: a segment by
 * query has a query, and the query is valid for members. An unused query is checked too.
 * @throws ServiceError 1200
 */
export async function prepareSegment(
  body: Partial<Segment>,
  context: OrgContext,
  previous?: Segment,
): Promise<Partial<Segment>> {
  const { kind, query } = { ...previous, ...body };
  if (query === undefined) {
    if (kind === 'query') throw invalidField('query', 'required', message('catalog.requiredOfSegment'));
    return body;
  }
  const written = queryFaults(query, fieldsOf(memberResource), 'query');
  const faults = written.length > 0 || !body.query ? written : await missingInQuery(body.query, 'Member', context);
  if (faults.length > 0) throw validationError(faults);
  return body;
}
