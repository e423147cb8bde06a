import { Type } from '@sinclair/typebox';
import { ext, identifier, integerMax, list, text } from '#base/schema/atoms';

/** The fields of a product. They are separate from the resource, so that pure code can import them. */
export const productFields = {
  sku: identifier(100, { description: 'Unique; what line items name in itemSKU' }),
  name: text(200),
  category: Type.Optional(text(200)),
  subcategory: Type.Optional(text(200)),
  brand: Type.Optional(text(200)),
  price: Type.Optional(Type.Number({ minimum: 0, maximum: integerMax })),
  tags: Type.Optional(list(text(100), 100)),
  excludeFromEarning: Type.Boolean({
    default: false,
    description: 'Never counted by the facts eligibleAmount and eligibleQuantity',
  }),
  ext: ext(),
};
