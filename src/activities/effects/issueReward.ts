import type { ObjectId } from 'bson';
import type { ActivityChanges } from '#activities/state/activityChanges';
import { type Message, message } from '#base/common/messages/message';
import { randomCode } from '#base/common/randomCode';
import { derivedIdAt, newStamps } from '#base/db/records';
import { toCodeKey } from '#base/schema/findable';
import type { ActingRule, Refusal } from '#engine/rules/actions/actionTarget';
import { type Coupon, couponFault } from '#programs/offers/coupon';
import { type UseCounter, useCounters } from '#programs/offers/useCounters';
import { rewardValidity } from '#programs/offers/validity';
import type { ProcessingError } from '#records/activities/activityHistory';
import type { IssuedReward } from '#records/offers/issuedReward';
import { payFor } from './spendPoints';

const rewardGone = message('activities.rewardGone');

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
  const coupon = changes.input.context.named.rewardByCode.get(reward);
  const fault = coupon ? issueFault(changes, coupon) : rewardGone;
  if (!coupon || fault !== undefined) {
    const reason = message('activities.rewardFault', { fault: fault ?? rewardGone });
    changes.log.recordOmitted(type, rule, { reward, isIssued: false }, reason);
    return undefined;
  }
  return issue(changes, coupon, { rule, by: rule._id, n, from: changes.input.activity.date });
}

/** The reason why a reward cannot be issued to the member now; undefined when it can. */
export function issueFault(changes: ActivityChanges, coupon: Coupon): Message | undefined {
  const { state, activity } = changes.input;
  const used = { program: state.program._id, date: activity.date };
  return couponFault(coupon, used) ?? changes.coupons.usedUp(couponCounters(changes, coupon));
}

/** What causes the issue of a reward, and when its validity begins to count. */
export interface Issue {
  rule?: ActingRule;
  /** The rule or the choice. The id of the issued reward is made of it and `n`, the position of the action. */
  by: ObjectId;
  n: number;
  from: Date;
  /** The choice by which it was taken. */
  choiceOf?: ObjectId;
  /** Points to pay; the rest of the cost is paid in money. Absent: all of it. */
  payPoints?: number | undefined;
}

const freeOfCost = { error: undefined, paid: {} };

/**
 * Issues a reward to the member. The caller has checked by {@link issueFault} that it can be issued.
 * @returns the error when the purse does not cover its cost
 */
export function issue(
  changes: ActivityChanges,
  coupon: Coupon,
  { rule, by, n, from, choiceOf, payPoints }: Issue,
): ProcessingError | undefined {
  const { state, activityId } = changes.input;
  const { record } = coupon;
  const _id = derivedIdAt(activityId.getTimestamp(), 'issued', activityId, by, n);
  const origin = { ...(rule ? changes.origin(rule) : { activity: activityId }), reward: record._id };
  const { error, paid } =
    coupon.kind === 'reward' ? payFor(changes, coupon, { n, payPoints, issued: _id }, origin) : freeOfCost;
  if (error) return error;
  const validity = coupon.kind === 'reward' ? rewardValidity(coupon.record, from, state.program.timezone) : {};
  changes.coupons.use(couponCounters(changes, coupon), _id);
  const { code } = putIssued(changes, _id, { reward: record._id, ...validity, ...(choiceOf ? { choiceOf } : {}) });
  const issued = { reward: record.code, code, name: record.name, ...validity, ...paid };
  addToData(changes, 'issuedRewards', issued);
  changes.log.record('issueReward', rule, { isIssued: true, ...issued });
  return undefined;
}

/** Gives the member a code of its own. */
export function putIssued(
  changes: ActivityChanges,
  _id: ObjectId,
  fields: Pick<IssuedReward, 'reward' | 'choice' | 'choiceOf' | 'validFrom' | 'validUntil'>,
): IssuedReward {
  const { state, activityId, author, context } = changes.input;
  const code = randomCode(codeGroups);
  const issued: IssuedReward = {
    ...newStamps(author, context.now, _id),
    code,
    codeKey: toCodeKey(code),
    member: state.doc._id,
    program: state.program._id,
    ...fields,
    status: 'Issued',
    activity: activityId,
  };
  changes.coupons.changeIssued(issued);
  return issued;
}

/** Adds an entry to a list in `result.data`. */
export function addToData(changes: ActivityChanges, field: 'issuedRewards' | 'issuedChoices', entry: object): void {
  const before = changes.data[field];
  changes.data = { ...changes.data, [field]: [...(Array.isArray(before) ? before : []), entry] };
}

function couponCounters({ input: { state } }: ActivityChanges, coupon: Coupon): UseCounter[] {
  return useCounters(coupon, state.doc._id);
}
