import { defineAction } from './action';

/** Puts the product of each line item into it: in the history, and in the fact `activity` of the levels below. */
export const lookupProducts = defineAction({
  type: 'lookupProducts',
  description:
    'Puts the product into each line item: in the history, and for rules of lower priority ($.lineItems[*].product.category)',
  params: {},
  onCancel: 'none',
  words: () => 'put the products into the line items',
  effects: ({ type }) => [{ type }],
  apply: (target, effect, rule) => target.lookupProducts(effect, rule),
});
