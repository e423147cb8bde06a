import type { ObjectId } from 'bson';
import { byForm } from '#base/schema/findable';
import type { LineItem } from '#records/activities/activity';

/** A product as far as line items name it. */
interface NamedProduct {
  _id: ObjectId;
  sku: string;
}

/** The products that line items name. */
export interface KnownProducts<P = NamedProduct> {
  bySku: ReadonlyMap<string, P>;
  /** By hexadecimal id. */
  byId: ReadonlyMap<string, P>;
}

/** Makes the maps of products by both their names. */
export function knownProducts<P extends NamedProduct>(products: readonly P[]): KnownProducts<P> {
  return {
    bySku: byForm(products.map((product) => [product.sku, product])),
    byId: new Map(products.map((product) => [product._id.toHexString(), product])),
  };
}

/**
 * Completes the line items whose product is known: each has its `itemSKU` and its `productId`. So every reader of a
 * line item finds its product, whichever of the two was sent.
 */
export function withProductNames(lineItems: LineItem[], { bySku, byId }: KnownProducts): LineItem[] {
  return lineItems.map((item) => {
    const { itemSKU, productId } = item;
    if (productId && itemSKU !== undefined) return item;
    const product = productId ? byId.get(productId.toHexString()) : bySku.get(itemSKU ?? '');
    return product ? { ...item, itemSKU: product.sku, productId: product._id } : item;
  });
}
