import type { RedeemPointsEffect } from '../../rules/language/effect';
import { purseOf, unknownPurse } from '../state/checkActivity';
import type { CarryOut } from './carryOut';
import { spend } from './spend';

/** Burns points; refused with 2100 when the purse does not cover them. */
export const redeemPoints: CarryOut<RedeemPointsEffect> = (target, { type, purse, points, n }, rule) => {
  const { state } = target.input;
  const policy = purseOf(state, purse);
  if (!policy) return unknownPurse(purse, rule);
  const error = spend(target, { purse, points, n }, target.origin(rule));
  if (error) return error;
  target.recordPurse(type, rule, policy._id);
  return undefined;
};
