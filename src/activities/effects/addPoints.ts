import { accrue } from '../../points/accrue';
import type { AddPointsEffect } from '../../rules/effect';
import { answeredPurse } from '../answeredMember';
import type { CarryOut } from './effect';
import { purseOf, unknownPurse } from './purseOf';

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
  target.awarded(state, lot, points);
  target.record('addPoints', rule, answeredPurse(ledger, policy._id, target.touchedLots()));
  return undefined;
};
