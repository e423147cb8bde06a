import { burn } from '../../points/burn';
import type { RedeemPointsEffect } from '../../rules/effect';
import type { ProcessingError } from '../activityHistory';
import { answeredPurse } from '../answeredMember';
import type { CarryOut } from './effect';
import { purseOf, unknownPurse } from './purseOf';

/** Burns points; refused with 2100 when the purse does not cover them. */
export const redeemPoints: CarryOut<RedeemPointsEffect> = (target, { purse, points }, rule) => {
  const { state, ledger } = target.input;
  const policy = purseOf(state, purse);
  if (!policy) return unknownPurse(purse, rule);
  const burned = burn(ledger, { purse: policy._id, points, origin: target.origin(rule) });
  if (burned.isRefused) return notEnough(purse, points, burned.available);
  const member = state.doc._id;
  for (const { lot, points: part } of burned.lots) {
    target.effects.burned.push({ lot, member, purse: policy._id, points: part, restored: 0 });
  }
  if (burned.debt > 0) target.effects.debts.push({ member, purse: policy._id, points: burned.debt, restored: 0 });
  target.addMetric('pointsRedeemed', points);
  target.addMetric(`pointsRedeemed:${purse}`, points);
  target.record('redeemPoints', rule, answeredPurse(ledger, policy._id, target.touchedLots()));
  return undefined;
};

/** The error of a purse that does not cover what is asked of it. */
export function notEnough(purse: string, needed: number, available: number): ProcessingError {
  return {
    code: 2100,
    message: `Not enough points in ${purse}: ${needed} needed, ${available} available`,
    status: 422,
  };
}
