import type { ActivityChanges } from '#activities/state/activityChanges';
import { message } from '#base/common/messages/message';
import { derivedIdAt } from '#base/db/records';
import type { ActingRule, IssuedChoice } from '#engine/rules/actions/actionTarget';
import { validUntil } from '#programs/offers/validity';
import { addToData, putIssued } from './issueReward';

interface IssuedChoiceEffect extends IssuedChoice {
  type: string;
}

/**
 * Gives the member a code by which it may take one of several rewards. No reward is paid or counted as used before it
 * is taken.
 */
export function issueChoice(
  changes: ActivityChanges,
  { type, rewards, default: other, validFor, n }: IssuedChoiceEffect,
  rule: ActingRule,
): undefined {
  const { state, activityId, activity, context } = changes.input;
  const idOf = (code: string) => context.named.rewardByCode.get(code)?.record._id;
  const ids = rewards.flatMap((code) => idOf(code) ?? []);
  if (ids.length < rewards.length) {
    changes.log.recordOmitted(type, rule, { rewards, isIssued: false }, message('activities.choiceRewardGone'));
    return;
  }
  const _id = derivedIdAt(activityId.getTimestamp(), 'issued', activityId, rule._id, n);
  const defaultId = other === undefined ? undefined : idOf(other);
  const ends = validUntil(validFor, activity.date, state.program.timezone);
  const { code } = putIssued(changes, _id, {
    choice: { rewards: ids, ...(defaultId ? { default: defaultId } : {}) },
    ...ends,
  });
  const issued = { code, rewards: [...rewards], ...(other === undefined ? {} : { default: other }), ...ends };
  addToData(changes, 'issuedChoices', issued);
  changes.log.record(type, rule, { isIssued: true, ...issued });
}
