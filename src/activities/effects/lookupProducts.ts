import type { LookupProductsEffect } from '../../rules/language/effect';
import type { CarryOut } from './carryOut';

/** Puts the products into the line items of the history, and into the fact `activity` from the next level on. */
export const lookupProducts: CarryOut<LookupProductsEffect> = (target, { type }, rule) => {
  target.hasProducts = true;
  const { activity, context } = target.input;
  const found = activity.lineItems.filter(({ itemSKU = '' }) => context.products.has(itemSKU)).length;
  target.log.record(type, rule, { lineItems: activity.lineItems.length, products: found });
  return undefined;
};
