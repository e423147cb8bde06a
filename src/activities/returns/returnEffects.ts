import type { ObjectId } from 'bson';
import type { BatchContext } from '#activities/state/batchContext';
import { survivingState } from '#activities/state/checkActivity';
import { type ActivityHistory, noEffects, type StoredEffects } from '#records/activities/activityHistory';
import { counterReturns } from './counterReturns';
import type { ReturnScope } from './decideReturnScope';
import { linesWithReturns } from './linesWithReturns';
import { returnCosts } from './returnCosts';
import { returnedCounters } from './returnedCounters';
import { returnedMetrics } from './returnedMetrics';
import { returnInactivity } from './returnInactivity';
import type { ReturnInput, ReturnOutcome } from './returnInput';
import { returnPayments } from './returnPayments';
import { returnPoints } from './returnPoints';
import { type ReturnedRewards, returnRewards } from './returnRewards';
import { subtractMetrics } from './subtractMetrics';

/**
 * Returns a part of an activity's effects: points of every member, metrics, limits, budgets and uses. A whole return
 * also returns referrals and rewards. It only changes `cancel.changes`, which the caller may still drop.
 * @throws PointsOverflow
 */
export function returnEffects(context: BatchContext, cancel: ReturnInput): ReturnOutcome {
  const { original, part } = cancel;
  const effects = original.effects ?? noEffects;
  const rewards = part.isWhole ? returnRewards(context, cancel.changes, effects) : noRewards;
  const isOfKeptReward = ({ issued }: { issued?: ObjectId }) =>
    issued !== undefined && rewards.kept.has(issued.toHexString());
  // The cost of a reward is returned only when the return is whole and nobody used the reward.
  const isKeptCost = (effect: { issued?: ObjectId }) =>
    effect.issued !== undefined && (!part.isWhole || isOfKeptReward(effect));
  if (part.isWhole) returnInactivity(context, cancel);
  const points = returnPoints(context, cancel, effects, isKeptCost);
  const { accrued } = points.effects;
  const returned = returnedCounters(context, cancel, accrued);
  const counters = effects.counters.map((counter, index) =>
    isOfKeptReward(counter) ? counter : (returned[index] ?? counter),
  );
  const uses = counterReturns(effects.counters, counters);
  if (part.isWhole) returnReferrals(context, cancel, effects);
  const metrics = returnedMetrics(effects, accrued, part).map((metric, index) =>
    isKeptCost(metric) ? (effects.metrics[index] ?? metric) : metric,
  );
  subtractMetrics(context, cancel, metrics);
  const money = returnPayments(effects.payments, part, (payment) => !isKeptCost(payment));
  const issuers = returnCosts(context, cancel, rewards.recalled);
  return {
    effects: { ...effects, ...points.effects, metrics, counters, ...money.payments },
    lines: [...points.lines, ...money.lines, ...rewards.lines, ...issuers.flatMap(({ lines }) => lines)],
    uses: [...uses, ...issuers.flatMap(({ uses }) => uses)],
    issuers,
  };
}

const noRewards: ReturnedRewards = { kept: new Set(), recalled: [], lines: [] };

/** The history of the original after the return. */
export function returnedOriginal(
  original: ActivityHistory,
  part: ReturnScope,
  effects: StoredEffects,
): ActivityHistory {
  const { isWhole, returnedValue, returnedByValue } = part;
  const { result } = original;
  const status = isWhole ? 'Cancelled' : original.status;
  return {
    ...original,
    status,
    result: { ...result, data: { ...result.data, status } },
    returnedValue,
    returnedByValue,
    returns: (original.returns ?? 0) + 1,
    lineItems: linesWithReturns(original, part),
    effects,
  };
}

/** Sets completed referrals to Pending, so that a later activity may complete them again. */
function returnReferrals(context: BatchContext, { state, changes }: ReturnInput, effects: StoredEffects): void {
  for (const { referrer: id, referred } of effects.referrals ?? []) {
    const referrer = survivingState(context, id.toHexString());
    // After a merge of referrer and referred member there is no referral to complete.
    if (!referrer || referrer === state) continue;
    const other = changes.others.open(referrer);
    const { referrals = referrer.doc.referrals } = other.referral;
    other.referral = {
      ...other.referral,
      referrals: referrals.map((each) =>
        each.referred && (each.referred.equals(referred) || each.referred.equals(state.doc._id))
          ? { ...each, status: 'Pending' as const }
          : each,
      ),
    };
  }
}
