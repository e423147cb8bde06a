import type { FieldError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import type { KnownProducts } from '#engine/rules/format/productNames';
import type { Activity } from '#records/activities/activity';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { locationResource } from '#records/catalog/location';
import { memberResource } from '#records/members/member';
import { programResource } from '#records/programs/program';

/** What an activity may name by id in addition to its member and its products. */
export const references = {
  locationId: locationResource,
  program: programResource,
  originalMemberID: memberResource,
  originalTxnId: activityHistoryResource,
} as const;

export type ReferenceField = keyof typeof references;

export type Naming = Pick<Activity, ReferenceField | 'type'>;

/** The id at a field. Processing looks up the original of a Cancellation, and answers 404 when it is missing. */
export function readReference(activity: Naming, field: ReferenceField): Activity[ReferenceField] {
  return field === 'originalTxnId' && activity.type === 'Cancellation' ? undefined : activity[field];
}

/**
 * The fault of a reference to a record that the org does not have.
 * @param known the records of the org, by hexadecimal id
 */
export function referenceFault(
  activity: Naming,
  field: ReferenceField,
  known: { has(id: string): boolean },
): FieldError | undefined {
  const id = readReference(activity, field);
  if (!id || known.has(id.toHexString())) return undefined;
  return noRecord(field, references[field].name);
}

/** The fault of a path that names no record of a model. */
export function noRecord(path: string, model: string): FieldError {
  return { path, kind: 'reference', ...message('refs.none', { model }) };
}

/** Line items whose `productId` is unknown, or names another product than `itemSKU`. */
export function productFaults(
  { lineItems }: Pick<Activity, 'lineItems'>,
  { byId }: Pick<KnownProducts, 'byId'>,
): FieldError[] {
  return lineItems.flatMap(({ productId, itemSKU }, index) => {
    if (!productId) return [];
    const sku = byId.get(productId.toHexString())?.sku;
    if (sku !== undefined && (itemSKU === undefined || itemSKU === sku)) return [];
    const fault =
      sku === undefined ? message('refs.none', { model: 'Product' }) : message('activities.notProductOfSku');
    return [{ path: `lineItems.${index}.productId`, kind: 'reference', ...fault }];
  });
}
