import type { ObjectId } from 'bson';
import type { BatchContext } from '#activities/state/batchContext';
import { survivingState } from '#activities/state/checkActivity';
import type { MemberState } from '#members/memberState/memberState';
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
    if (!referrer) continue;
    const holder = referrer === state ? changes : changes.others.open(referrer);
    const { referrals = referrer.doc.referrals } = holder.referral;
    const isOfMember = (each: Referral) =>
      each.referred !== undefined && (each.referred.equals(referred) || each.referred.equals(state.doc._id));
    const at = referrals.findIndex((each) => each.status === 'Completed' && isOfMember(each));
    if (at === -1) continue;
    const others = referrals.filter((_each, n) => n !== at);
    const staysPending = isReferrer(referrer, { state, changes }) && !others.some(isOfMember);
    const pending = referrals.map((each, n) => (n === at ? { ...each, status: 'Pending' as const } : each));
    holder.referral = { ...holder.referral, referrals: staysPending ? pending : others };
  }
}

type Referral = MemberState['doc']['referrals'][number];

/** A merge may have left another referrer, or made the referrer and the referred member one. */
function isReferrer(referrer: MemberState, { state, changes }: Pick<ReturnInput, 'state' | 'changes'>): boolean {
  const { referredBy = state.doc.referredBy } = changes.referral;
  const ids = [referrer.doc._id, ...referrer.doc.mergeIds];
  return referrer !== state && referredBy !== undefined && ids.some((each) => each.equals(referredBy));
}
