import { invalidField } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import type { DocOf } from '#base/schema/resource';
import { isOccasionType } from '#records/activities/occasion';
import type { enumResource } from '#records/catalog/enumValue';

type EnumValue = DocOf<typeof enumResource>;

/**
 * Checks that an activity type is none of the service's own occasions, which clients cannot post.
 * @throws ServiceError 1200
 */
export function prepareEnum(body: Partial<EnumValue>, previous?: EnumValue): Partial<EnumValue> {
  const { type, value = '' } = { ...previous, ...body };
  if (type === 'ActivityType' && isOccasionType(value)) {
    throw invalidField('value', 'unique', message('catalog.occasionType'));
  }
  return body;
}
