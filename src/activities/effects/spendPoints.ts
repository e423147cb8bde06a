import type { ObjectId } from 'bson';
import type { ActivityChanges } from '#activities/state/activityChanges';
import { findPursePolicy, refused } from '#activities/state/checkActivity';
import { message } from '#base/common/messages/message';
import { burn } from '#engine/points/ledger/burn';
import type { Origin } from '#engine/points/ledger/ledger';
import { type Price, rewardPrice } from '#programs/offers/price';
import type { ProcessingError } from '#records/activities/activityHistory';
import type { Reward } from '#records/offers/reward';

/**
 * Burns points of the member's purse and adds to the metrics of redeemed points.
 * @param issued the issued reward that the points pay for
 * @returns the error: 2100 when the purse has too few points, 2900 when the purse is unknown; undefined when it has
 *   burned them
 */
export function spendPoints(
  changes: ActivityChanges,
  { purse, points, n }: { purse: string; points: number; n: number },
  origin: Origin,
  issued?: ObjectId,
): ProcessingError | undefined {
  const { state, ledger } = changes.input;
  const policy = findPursePolicy(state, purse);
  if (!policy) return refused(2900, message('activities.purseGone', { purse }));
  if (points === 0) return undefined;
  const burned = burn(ledger, { purse: policy._id, points, origin });
  if (burned.isRefused) return notEnough(purse, points, burned.available);
  const award = { n, ...(origin.rule ? { rule: origin.rule } : {}) };
  const paid = { member: state.doc._id, purse: policy._id, restored: 0, ...(issued ? { issued } : {}), ...award };
  for (const { lot, points: part } of burned.lots) changes.effects.burned.push({ lot, ...paid, points: part });
  if (burned.debt > 0) changes.effects.debts.push({ ...paid, points: burned.debt });
  changes.addMetric('pointsRedeemed', points, { issued });
  changes.addMetric(`pointsRedeemed:${purse}`, points, { issued });
  return undefined;
}

/**
 * Pays the cost of a reward. It burns points, and records how much of the cost is paid in money. The service itself
 * takes no money.
 * @param issued the issued reward that is paid for
 */
export function payFor(
  changes: ActivityChanges,
  { record: { _id: reward, cost } }: { record: Pick<Reward, '_id' | 'cost'> },
  { n, payPoints, issued }: { n: number; payPoints?: number | undefined; issued?: ObjectId },
  origin: Origin,
): { error: ProcessingError | undefined; paid: { paid?: Price } } {
  if (!cost) return { error: undefined, paid: {} };
  const price = rewardPrice(cost, payPoints);
  const error = spendPoints(changes, { purse: cost.purse, points: price.points, n }, origin, issued);
  if (error || price.money === 0) return { error, paid: {} };
  const payment = { reward, money: price.money, returned: 0, ...(issued ? { issued } : {}) };
  changes.effects.payments = [...(changes.effects.payments ?? []), payment];
  return { error, paid: { paid: price } };
}

/** The error (2100) when a purse has too few points. */
export function notEnough(purse: string, needed: number, available: number): ProcessingError {
  return refused(2100, message('points.notEnough', { purse, needed, available }));
}
