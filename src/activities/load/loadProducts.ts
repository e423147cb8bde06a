import type { Connection } from 'mongoose';
import { collectionOf } from '../../db/collections';
import { productResource } from '../../records/catalog/product';
import type { BatchScope } from '../state/batchScope';
import type { StoredRecord } from '../state/namedRecords';

/** The products of the line items of those activities whose rules look at products, by SKU, in one query. */
export async function loadProducts(db: Connection, scope: BatchScope): Promise<ReadonlyMap<string, StoredRecord>> {
  const skus = new Set<string>();
  for (const work of scope.works) {
    if (!scope.rulesOf(work)?.needs.products) continue;
    for (const { itemSKU } of work.activity.lineItems) if (itemSKU !== undefined) skus.add(itemSKU);
  }
  if (skus.size === 0) return new Map();
  const found = await collectionOf(db, productResource)
    .find({ org: scope.org, sku: { $in: [...skus] } })
    .toArray();
  return new Map(found.map((product) => [product.sku, product]));
}
