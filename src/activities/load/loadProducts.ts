import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '../../db/collections';
import type { LineItem } from '../../records/activities/activity';
import { productResource } from '../../records/catalog/product';
import type { StoredProduct } from '../state/batchContext';

/** Reads the products that line items name by `productId` or `itemSKU`, in one query; in none when they name none. */
export async function loadProducts(
  db: Connection,
  org: ObjectId,
  lineItems: readonly Pick<LineItem, 'itemSKU' | 'productId'>[],
): Promise<StoredProduct[]> {
  const skus = new Set<string>();
  const ids = new Map<string, ObjectId>();
  for (const { itemSKU, productId } of lineItems) {
    if (productId) ids.set(productId.toHexString(), productId);
    else if (itemSKU !== undefined) skus.add(itemSKU);
  }
  const asked = [
    ...(skus.size > 0 ? [{ sku: { $in: [...skus] } }] : []),
    ...(ids.size > 0 ? [{ _id: { $in: [...ids.values()] } }] : []),
  ];
  if (asked.length === 0) return [];
  return collectionOf(db, productResource).find({ org, $or: asked }).toArray();
}
