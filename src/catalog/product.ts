import { Type } from '@sinclair/typebox';
import { type DocOf, defineResource } from '../db/resource';
import { ext, integerMax, list, text } from '../schema/atoms';

/** Products: what line items name by `itemSKU` (DESIGN 12). */
export const productResource = defineResource({
  name: 'Product',
  path: 'products',
  fields: {
    sku: text(100, { description: 'Unique; what line items name in itemSKU' }),
    name: text(200),
    category: Type.Optional(text(200)),
    subcategory: Type.Optional(text(200)),
    brand: Type.Optional(text(200)),
    price: Type.Optional(Type.Number({ minimum: 0, maximum: integerMax })),
    tags: Type.Optional(list(text(100), 100)),
    excludeFromEarning: Type.Boolean({ default: false }),
    ext: ext(),
  },
  indexes: [{ keys: { org: 1, sku: 1 }, unique: true }],
});

export type Product = DocOf<typeof productResource>;
