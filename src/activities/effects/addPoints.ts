import { accrue } from '../../points/accrue';
import { expiryMetrics } from '../../points/settleState';
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
  const member = state.doc._id;
  target.effects.accrued.push({ lot: lot._id, member, purse: policy._id, points, returned: 0, charged: 0 });
  // A retroactive award may be past its expiry already; what expired stays expired when it is cancelled.
  const { expiredPoints, dtExpiresOn } = lot;
  if (dtExpiresOn && expiredPoints > 0) {
    const expired = [{ purse: policy._id, points: expiredPoints, date: dtExpiresOn }];
    target.metrics.push(...expiryMetrics({ doc: state.doc, ledger }, { expired }));
  }
  target.addMetric('pointsEarned', points);
  target.addMetric(`pointsEarned:${purse}`, points);
  target.record('addPoints', rule, answeredPurse(ledger, policy._id, target.touchedLots()));
  return undefined;
};
