import type { ApplyOfferEffect } from '../../rules/language/effect';
import type { CarryOut } from './carryOut';

/** Notes an offer to be applied when all rules are through: only then is known what is the best of its group. */
export const applyOffer: CarryOut<ApplyOfferEffect> = (target, { offer }) => {
  target.coupons.offers.add(offer);
  return undefined;
};
