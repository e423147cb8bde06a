import { issue, issueFault } from '#activities/effects/issueReward';
import type { ActivityChanges } from '#activities/state/activityChanges';
import { refused } from '#activities/state/checkActivity';
import { findChoice, takenReward } from '#activities/state/choice';
import { message } from '#base/common/messages/message';
import type { ProcessingError } from '#records/activities/activityHistory';

/**
 * Takes the reward that the activity chooses by the code of a choice: the choice becomes used, and the reward is
 * issued. The checks before the rules have already found the choice valid. A default reward may be taken after the end
 * of the choice; its validity then counts from that end.
 */
export function takeReward(changes: ActivityChanges): ProcessingError | undefined {
  const { activity, activityId, context } = changes.input;
  const choice = findChoice(context, activity.couponCode);
  if (!choice) return undefined;
  const taken = takenReward(context, choice, activity);
  const fault = taken ? issueFault(changes, taken) : message('activities.rewardGone');
  if (fault !== undefined)
    return refused(2500, message('activities.reward', { reward: taken?.record.code ?? '', fault }));
  if (!taken) return undefined;
  const { validUntil: end = activity.date } = choice;
  const from = new Date(Math.min(end.getTime(), activity.date.getTime()));
  changes.coupons.changeIssued({ ...choice, status: 'Used', usedBy: activityId });
  const { payPoints } = activity;
  return issue(changes, taken, { by: choice._id, n: 0, from, choiceOf: choice._id, payPoints });
}
