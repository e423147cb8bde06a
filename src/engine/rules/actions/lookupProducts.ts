import { defineAction } from './action';

/** Puts its product into each line item: in the history, and in the fact `activity` for rules of lower priority. */
export const lookupProducts = defineAction({
  type: 'lookupProducts',
  description:
    'Puts the product into each line item: in the history, and for rules of lower priority ($.lineItems[*].product.category)',
  params: {},
  onCancel: 'none',
  words: {
    en: () => 'put the products into the line items',
    de: () => 'Produkte der Positionen nachschlagen',
  },
  effects: ({ type }) => [{ type }],
  apply: (target, effect, rule) => target.lookupProducts(effect, rule),
});
