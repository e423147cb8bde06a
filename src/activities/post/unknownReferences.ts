import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { loadProducts } from '#activities/load/loadNamed';
import type { StoredProduct } from '#activities/state/batchContext';
import { type Naming, productFaults, readReference, referenceFault, references } from '#activities/state/references';
import { type FieldError, validationError } from '#base/common/errors';
import { mapYielding } from '#base/common/yielding';
import { existingIds } from '#base/db/existingIds';
import { knownProducts } from '#engine/rules/format/productNames';
import type { Activity } from '#records/activities/activity';

const fields = ['locationId', 'program', 'originalMemberID', 'originalTxnId'] as const;

type Posted = Naming & Pick<Activity, 'lineItems'>;

/**
 * Finds the references of activities to records that the org does not have. Asynchronous posts are checked this way
 * before they are accepted. It runs one query for each kind of record that is named. It does not check the member:
 * processing does.
 * @returns for each activity its faults
 */
export async function unknownReferences(
  db: Connection,
  org: ObjectId,
  activities: readonly Posted[],
): Promise<FieldError[][]> {
  const known = await Promise.all(
    fields.map(async (field) => {
      const ids = activities.flatMap((activity) => readReference(activity, field) ?? []);
      return [field, await existingIds(db, org, references[field].path, ids)] as const;
    }),
  );
  const products = knownProducts(await loadPostedProducts(db, org, activities));
  return mapYielding(activities, (activity) => [
    ...known.flatMap(([field, ids]) => referenceFault(activity, field, ids) ?? []),
    ...(activity.type === 'Cancellation' ? [] : productFaults(activity, products)),
  ]);
}

/** Most products that one query reads. */
const productsMax = 10_000;

/** The products that line items name by `productId`. A bulk post may name many. */
async function loadPostedProducts(
  db: Connection,
  org: ObjectId,
  activities: readonly Posted[],
): Promise<StoredProduct[]> {
  const ids = new Map<string, ObjectId>();
  await mapYielding(activities, ({ lineItems }) => {
    for (const { productId } of lineItems) if (productId) ids.set(productId.toHexString(), productId);
  });
  const wanted = [...ids.values()].map((productId) => ({ productId }));
  const found: StoredProduct[] = [];
  for (let start = 0; start < wanted.length; start += productsMax) {
    found.push(...(await loadProducts(db, org, wanted.slice(start, start + productsMax))));
  }
  return found;
}

/**
 * Refuses an activity that refers to records that the org does not have.
 * @throws ServiceError 1200 naming every such reference
 */
export async function requireKnownReferences(db: Connection, org: ObjectId, activity: Posted): Promise<void> {
  const [faults = []] = await unknownReferences(db, org, [activity]);
  if (faults.length > 0) throw validationError(faults);
}
