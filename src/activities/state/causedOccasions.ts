import type { ObjectId } from 'bson';
import type { Plan } from '#activities/commit/plan';
import type { Author } from '#base/db/records';
import { type OccasionName, occasionCancellation, occasionSubmission } from '#members/occasions/occasionSubmission';
import type { ActivityHistory } from '#records/activities/activityHistory';
import type { Submission } from '#records/activities/submission';
import type { BatchContext } from './batchContext';

type Caused = Pick<Plan, 'histories' | 'originals' | 'issued'>;

/**
 * The occasions that activities cause outside the ledger: for issued rewards and completed referrals. When a reward is
 * withdrawn, or a referral becomes Pending again, its occasion is cancelled.
 */
export function causedOccasions(context: BatchContext, { histories, originals, issued }: Caused): Submission[] {
  const cancelled = originals
    .filter(({ status, seenStatus }) => status === 'Cancelled' && seenStatus !== status)
    .flatMap(({ id }) => context.histories.get(id.toHexString()) ?? []);
  return [
    ...issued.flatMap((each) => rewardOccasions(context, each)),
    ...histories.flatMap((history) => referralOccasions(context, history, completed)),
    ...cancelled.flatMap((history) => referralOccasions(context, history, pendingAgain)),
  ];
}

function rewardOccasions({ org, now, wanted, named }: BatchContext, { seen, reward }: Plan['issued'][number]) {
  const { _id, member, program, activity: cause, code, createdBy: userId, status } = reward;
  if (!wanted(program)?.has('RewardIssued')) return [];
  const author = { org, userId };
  const name: OccasionName = { type: 'RewardIssued', at: _id.getTimestamp(), idParts: [_id] };
  if (seen === undefined && status !== 'Withdrawn') {
    const { record } = [...named.rewardByCode.values()].find((each) => each.record._id.equals(reward.reward)) ?? {};
    const occasion = { ...(record && { reward: record.code }), code, ...(cause && { cause }) };
    return [occasionSubmission(author, now, { ...name, member, date: now, occasion })];
  }
  const isWithdrawn = seen !== undefined && seen !== status && status === 'Withdrawn';
  return isWithdrawn ? [occasionCancellation(author, now, { ...name, member })] : [];
}

/** One side of a referral: the name of its occasion, the member, and the other member. */
interface Side extends OccasionName {
  member: ObjectId;
  role: 'referrer' | 'referred';
  other: ObjectId;
}

type MakeSubmission = (author: Author, now: Date, side: Side, cause: ObjectId) => Submission;

const completed: MakeSubmission = (author, now, { role, other, ...side }, cause) =>
  occasionSubmission(author, now, { ...side, date: now, occasion: { role, other, cause } });

const pendingAgain: MakeSubmission = (author, now, side) => occasionCancellation(author, now, side);

/** One submission for each of the two members of the referrals that an activity completed. */
function referralOccasions({ org, now, wanted }: BatchContext, history: ActivityHistory, make: MakeSubmission) {
  const { _id, program, effects, createdBy: userId } = history;
  if (!effects?.referrals || !wanted(program)?.has('ReferralCompleted')) return [];
  return effects.referrals.flatMap(({ referrer, referred }) =>
    [
      { member: referrer, role: 'referrer' as const, other: referred },
      { member: referred, role: 'referred' as const, other: referrer },
    ].map((side) => {
      const name = { type: 'ReferralCompleted' as const, at: _id.getTimestamp(), idParts: [_id, side.member] };
      return make({ org, userId }, now, { ...name, ...side }, _id);
    }),
  );
}
