import { invalidField, validationError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { readableFields } from '#base/query/fields';
import { queryFaults } from '#base/query/storedQuery';
import type { DocOf } from '#base/schema/resource';
import { defineWrites } from '#platform/recordWrites/recordWrites';
import type { OrgContext } from '#platform/recordWrites/writeContext';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { isOccasionType } from '#records/activities/occasion';
import { enumResource } from '#records/catalog/enumValue';
import { locationResource } from '#records/catalog/location';
import { namedListResource } from '#records/catalog/namedList';
import { partnerResource } from '#records/catalog/partner';
import { productResource } from '#records/catalog/product';
import { type Segment, segmentResource } from '#records/catalog/segment';
import { memberResource } from '#records/members/member';
import { missingInQuery } from './names/missingNames';
import { prepareNamedList } from './prepareNamedList';
import { usesOfEnum } from './usesOfEnum';

const namedInHistories = (path: string, value: string) => [
  { in: activityHistoryResource, path, where: { [path]: value } },
];

export const enumWrites = defineWrites(enumResource, {
  prepare: async (body, _context, previous) => prepareEnum(body, previous),
  uses: { by: ['type', 'value'], find: usesOfEnum },
});

export const locationWrites = defineWrites(locationResource, {
  uses: { by: [], find: ({ number }) => namedInHistories('srcChannelID', number) },
});

export const partnerWrites = defineWrites(partnerResource, {
  uses: { by: [], find: ({ code }) => namedInHistories('partnerCode', code) },
});

export const namedListWrites = defineWrites(namedListResource, { prepare: prepareNamedList });

export const segmentWrites = defineWrites(segmentResource, { prepare: prepareSegment });

export const productWrites = defineWrites(productResource);

type EnumValue = DocOf<typeof enumResource>;

/**
 * Checks that an activity type is none of the service's own occasions, which clients cannot post.
 * @throws ServiceError 1200
 */
function prepareEnum(body: Partial<EnumValue>, previous?: EnumValue): Partial<EnumValue> {
  const { type, value = '' } = { ...previous, ...body };
  if (type === 'ActivityType' && isOccasionType(value)) {
    throw invalidField('value', 'unique', message('catalog.occasionType'));
  }
  return body;
}

/**
 * Checks rules of a segment that the schema cannot express. The body is checked as it will be stored: a segment by
 * query has a query, and the query is valid for members. An unused query is checked too.
 * @throws ServiceError 1200
 */
async function prepareSegment(
  body: Partial<Segment>,
  context: OrgContext,
  previous?: Segment,
): Promise<Partial<Segment>> {
  const { kind, query } = { ...previous, ...body };
  if (query === undefined) {
    if (kind === 'query') throw invalidField('query', 'required', message('catalog.requiredOfSegment'));
    return body;
  }
  const written = queryFaults(query, readableFields(memberResource), 'query');
  const faults = written.length > 0 || !body.query ? written : await missingInQuery(body.query, 'Member', context);
  if (faults.length > 0) throw validationError(faults);
  return body;
}
