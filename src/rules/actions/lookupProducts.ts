import type { Static } from '@sinclair/typebox';
import { type ActionDefinition, actionShape } from './action';

const params = actionShape(
  'lookupProducts',
  {},
  'Puts the product into each line item: in the history, and for rules of lower priority ($.lineItems[*].product.category)',
);

/** Puts the product of each line item into it: in the history, and in the fact `activity` of the levels below. */
export const lookupProducts: ActionDefinition<Static<typeof params>> = {
  type: 'lookupProducts',
  params,
  effects: ({ type }) => [{ type }],
};

export type LookupProducts = Static<typeof params>;
