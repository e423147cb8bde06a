import type { ActivityHistory } from '../../records/activities/activityHistory';
import { type StoredRecord, withoutStamps } from '../state/namedRecords';

type Lines = ActivityHistory['lineItems'];

/** Line items with the products that they name, as the action `lookupProducts` leaves them. */
export function withProducts(lineItems: Lines, products: ReadonlyMap<string, StoredRecord>): Lines {
  return lineItems.map((item) => {
    const product = products.get(item.itemSKU ?? '');
    return product ? { ...item, product: withoutStamps(product) } : item;
  });
}
