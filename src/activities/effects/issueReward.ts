import { derivedIdAt, newStamps } from '../../db/records';
import { randomCode } from '../../members/randomCode';
import { couponFault } from '../../offers/coupon';
import { useCounters } from '../../offers/useCounters';
import type { ActingRule, Refusal } from '../../rules/actions/actionTarget';
import type { ActivityChanges } from '../state/activityChanges';
import { spend } from './spend';

/** Groups of four characters in the code of an issued reward. */
const codeGroups = 3;

/**
 * Issues a reward to the member. It burns the cost and counts the use now, so that the code is good for one use later.
 * A reward that cannot be issued now only writes a log line.
 */
export function issueReward(
  changes: ActivityChanges,
  { type, reward, n }: { type: string; reward: string; n: number },
  rule: ActingRule,
): Refusal {
  const { state, activity, activityId, author, context } = changes.input;
  const coupon = changes.input.context.named.rewardByCode.get(reward);
  const counters = coupon ? useCounters(coupon, state.doc._id) : [];
  const fault = coupon
    ? (couponFault(coupon, { program: state.program._id, date: activity.date }) ?? changes.coupons.usedUp(counters))
    : 'does not exist';
  if (!coupon || fault !== undefined) {
    changes.log.record(type, rule, { reward, isIssued: false, reason: `the reward ${fault}` });
    return undefined;
  }
  const cost = coupon.kind === 'reward' ? coupon.record.cost : undefined;
  const _id = derivedIdAt(activityId.getTimestamp(), 'issued', activityId, rule._id, n);
  const origin = { ...changes.origin(rule), reward: coupon.record._id };
  const error = cost && spend(changes, { ...cost, n }, origin, _id);
  if (error) return error;
  const code = randomCode(codeGroups);
  changes.coupons.use(counters, _id);
  changes.coupons.changeIssued({
    ...newStamps(author, context.now, _id),
    ...{ code, member: state.doc._id, reward: coupon.record._id, program: state.program._id },
    status: 'Issued',
    activity: activityId,
  });
  const issued = { reward, code, name: coupon.record.name };
  changes.data = { ...changes.data, issuedRewards: [...listOf(changes.data.issuedRewards), issued] };
  changes.log.record(type, rule, { isIssued: true, ...issued });
  return undefined;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
