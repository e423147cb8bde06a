import { accrue } from '../../points/ledger/accrue';
import type { AddPointsEffect } from '../../rules/language/effect';
import { purseOf, unknownPurse } from '../state/checkActivity';
import type { CarryOut } from './carryOut';

/** Awards points: a lot, its history and the metrics of earning. */
export const addPoints: CarryOut<AddPointsEffect> = (target, { purse, points, escrow, expiry, n }, rule) => {
  const { state, ledger, activity } = target.input;
  const policy = purseOf(state, purse);
  if (!policy) return unknownPurse(purse, rule);
  const lot = accrue(ledger, {
    purse: policy._id,
    points,
    date: activity.date,
    origin: target.origin(rule),
    n,
    ...(escrow ? { escrow } : {}),
    ...(expiry ? { expiry } : {}),
  });
  target.awarded(state, lot, points, n);
  target.recordPurse('addPoints', rule, policy._id);
  return undefined;
};
