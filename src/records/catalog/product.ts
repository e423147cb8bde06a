import { type DocOf, defineResource } from '#base/schema/resource';
import { productFields } from './productFields';

/** Products; line items refer to them by `itemSKU`. */
export const productResource = defineResource({
  name: 'Product',
  path: 'products',
  access: 'catalog',
  tag: 'Catalog',
  fields: productFields,
  indexes: [{ keys: { org: 1, sku: 1 }, unique: true }],
});

export type Product = DocOf<typeof productResource>;
